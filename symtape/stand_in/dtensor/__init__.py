"""`tf.experimental.dtensor`: tensors with layouts over devices that are names of one processor.

Everything is computed whole and once. Layouts are told beside: they are given, followed from one
operation to the next by rules, and read.
"""

from symtape.namespace import show
from symtape.stand_in.dtensor.creating import (
    barrier,
    client_id,
    create_distributed_mesh,
    create_mesh,
    create_tpu_mesh,
    full_job_name,
    heartbeat_enabled,
    initialize_accelerator_system,
    initialize_multi_client,
    initialize_tpu_system,
    job_name,
    jobs,
    local_devices,
    num_clients,
    num_global_devices,
    num_local_devices,
    preferred_device_type,
    shutdown_accelerator_system,
    shutdown_tpu_system,
)
from symtape.stand_in.dtensor.datasets import DTensorDataset
from symtape.stand_in.dtensor.files import (
    DTensorCheckpoint,
    name_based_restore,
    name_based_save,
    sharded_save,
)
from symtape.stand_in.dtensor.layouts import MATCH, UNSHARDED, Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.moving import (
    check_layout,
    copy_to_mesh,
    fetch_layout,
    is_dtensor,
    pack,
    relayout,
    relayout_like,
    unpack,
)
from symtape.stand_in.dtensor.scopes import (
    call_with_layout,
    default_mesh,
    device_name,
    get_default_mesh,
    run_on,
)
from symtape.stand_in.dtensor.variables import DVariable, enable_save_as_bf16

__all__ = [
    "MATCH",
    "UNSHARDED",
    "DTensorCheckpoint",
    "DTensorDataset",
    "DVariable",
    "Layout",
    "Mesh",
    "barrier",
    "call_with_layout",
    "check_layout",
    "client_id",
    "copy_to_mesh",
    "create_distributed_mesh",
    "create_mesh",
    "create_tpu_mesh",
    "default_mesh",
    "device_name",
    "enable_save_as_bf16",
    "fetch_layout",
    "full_job_name",
    "get_default_mesh",
    "heartbeat_enabled",
    "initialize_accelerator_system",
    "initialize_multi_client",
    "initialize_tpu_system",
    "is_dtensor",
    "job_name",
    "jobs",
    "local_devices",
    "name_based_restore",
    "name_based_save",
    "num_clients",
    "num_global_devices",
    "num_local_devices",
    "pack",
    "preferred_device_type",
    "relayout",
    "relayout_like",
    "run_on",
    "sharded_save",
    "shutdown_accelerator_system",
    "shutdown_tpu_system",
    "unpack",
]

show(__name__, __all__, path="tf.experimental.dtensor")
