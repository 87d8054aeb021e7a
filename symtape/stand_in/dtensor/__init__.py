"""`tf.experimental.dtensor`: tensors with layouts over devices that are names of one processor.

Everything is computed whole and once. Layouts are told beside: they are given, followed from one
operation to the next by rules, and read.
"""

from symtape.namespace import show
from symtape.stand_in.dtensor.creating import (
    barrier as barrier,
    client_id as client_id,
    create_distributed_mesh as create_distributed_mesh,
    create_mesh as create_mesh,
    create_tpu_mesh as create_tpu_mesh,
    full_job_name as full_job_name,
    heartbeat_enabled as heartbeat_enabled,
    initialize_accelerator_system as initialize_accelerator_system,
    initialize_multi_client as initialize_multi_client,
    initialize_tpu_system as initialize_tpu_system,
    job_name as job_name,
    jobs as jobs,
    local_devices as local_devices,
    num_clients as num_clients,
    num_global_devices as num_global_devices,
    num_local_devices as num_local_devices,
    preferred_device_type as preferred_device_type,
    shutdown_accelerator_system as shutdown_accelerator_system,
    shutdown_tpu_system as shutdown_tpu_system,
)
from symtape.stand_in.dtensor.datasets import DTensorDataset as DTensorDataset
from symtape.stand_in.dtensor.files import (
    DTensorCheckpoint as DTensorCheckpoint,
    name_based_restore as name_based_restore,
    name_based_save as name_based_save,
    sharded_save as sharded_save,
)
from symtape.stand_in.dtensor.layouts import (
    MATCH as MATCH,
    UNSHARDED as UNSHARDED,
    Layout as Layout,
)
from symtape.stand_in.dtensor.meshes import Mesh as Mesh
from symtape.stand_in.dtensor.moving import (
    check_layout as check_layout,
    copy_to_mesh as copy_to_mesh,
    fetch_layout as fetch_layout,
    is_dtensor as is_dtensor,
    pack as pack,
    relayout as relayout,
    relayout_like as relayout_like,
    unpack as unpack,
)
from symtape.stand_in.dtensor.scopes import (
    call_with_layout as call_with_layout,
    default_mesh as default_mesh,
    device_name as device_name,
    get_default_mesh as get_default_mesh,
    run_on as run_on,
)
from symtape.stand_in.dtensor.variables import (
    DVariable as DVariable,
    enable_save_as_bf16 as enable_save_as_bf16,
)

show(__name__, path="tf.experimental.dtensor")
