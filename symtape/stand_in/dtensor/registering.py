"""A mesh is used for the first time: its devices have to be there."""

from __future__ import annotations

from symtape.errors import InvalidArgumentError
from symtape.ops.runtime.device_specs import DeviceSpec
from symtape.ops.runtime.devices import list_logical_devices
from symtape.stand_in.dtensor.following import begin
from symtape.stand_in.dtensor.meshes import Mesh


def registered(mesh: Mesh) -> Mesh:
    """See that the devices of a mesh are there, and follow operations from now on.

    Raises `InvalidArgumentError` for a device that is not there.
    """
    names = {d.name for d in list_logical_devices()}
    for name in mesh.local_devices():
        spec = DeviceSpec.from_string(name)
        if f"/device:{spec.device_type}:{spec.device_index}" not in names:
            raise InvalidArgumentError(
                message=f"{name} unknown device; call tf.config.set_logical_device_configuration "
                "for as many as the mesh has"
            )
    begin()
    return mesh
