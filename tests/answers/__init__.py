"""Small programs that any module with TensorFlow's names can run, and what TensorFlow answered."""

from tests.answers import (
    assertions,
    checkpoints,
    classes,
    concrete_functions,
    corners,
    custom,
    dataset_draws,
    dataset_mistakes,
    datasets,
    declared,
    derivatives,
    files,
    forward,
    function_draws,
    graphs,
    images,
    kept,
    keras,
    linear_operators,
    lookups,
    misuse,
    module,
    name_scopes,
    numpy_behaviour,
    numpy_names,
    pipelines,
    printing,
    ragged,
    ragged_datasets,
    randomness,
    records,
    saved_models,
    scenarios,
    seldom,
    signals,
    signatures,
    sounds,
    sparse,
    stand_ins,
    strings,
    tables_in_files,
    texts,
    training,
    variables,
)
from tests.answers.answer import Table, difference

TABLES: dict[str, Table] = {
    table.file.stem: table
    for table in (
        *(scenarios.TABLE, misuse.TABLE, keras.TABLE, randomness.TABLE, printing.TABLE),
        *(module.TABLE, name_scopes.TABLE, derivatives.TABLE, signatures.TABLE),
        *(custom.TABLE, forward.TABLE, strings.TABLE, texts.TABLE, datasets.TABLE),
        *(
            dataset_mistakes.TABLE,
            dataset_draws.TABLE,
            declared.TABLE,
            seldom.TABLE,
            pipelines.TABLE,
        ),
        *(signals.TABLE, images.TABLE),
        *(training.TABLE, checkpoints.TABLE, saved_models.TABLE, assertions.TABLE, classes.TABLE),
        *(
            graphs.TABLE,
            linear_operators.TABLE,
            variables.TABLE,
            function_draws.TABLE,
            concrete_functions.TABLE,
        ),
        *(
            lookups.TABLE,
            files.TABLE,
            sounds.TABLE,
            tables_in_files.TABLE,
            records.TABLE,
            kept.TABLE,
            ragged.TABLE,
            ragged_datasets.TABLE,
            sparse.TABLE,
        ),
        *(corners.TABLE, stand_ins.TABLE, numpy_names.TABLE, numpy_behaviour.TABLE),
    )
}
ROWS = [(table, name) for table, programs in TABLES.items() for name in programs]

__all__ = ["ROWS", "TABLES", "difference"]
