"""Every name of TensorFlow's stands in one row of the page, and says how or why it is."""

from __future__ import annotations

from tests.goldens import kept
from tests.names import GOLDEN, deviating, deviations_of, namespaces, rows_of


def test_every_name_of_tensorflow_is_in_one_row():
    """Each name that TensorFlow has stands in one row, and each that is absent has a reason."""
    theirs = kept(GOLDEN)
    for path, names in namespaces().items():
        if path not in theirs:
            continue
        rows = list(rows_of(path, names, theirs[path]))
        listed = [name.strip("`") for _, text, _ in rows for name in text.split(", ")]
        assert sorted(listed) == sorted({*names, *theirs[path]})
        assert all(why for state, _, why in rows if state in {"absent", "deviates"})


def test_names_deviate_that_the_table_of_deviations_names():
    """A row of the table belongs to the names before its test, and to no namespace."""
    assert "gather_is_dense" in deviations_of("tf", "gather")
    assert deviations_of("tf.linalg", "inv") == []
    assert deviations_of("tf", "linalg") == []
    assert deviations_of("tf", "sin") == []
    assert "gather" in deviating()


def test_a_name_that_is_not_there_is_absent():
    """The judge of rows convicts: a name that TensorFlow alone has is absent, ours is own."""
    rows = list(rows_of("tf", ["sin", "hvp"], ["sin", "theirs", "Graph"]))
    assert [row[:2] for row in rows][:2] == [("exact", "`sin`"), ("own", "`hvp`")]
    assert {row[1] for row in rows if row[0] == "absent"} == {"`theirs`", "`Graph`"}
