"""`tf.saved_model`: an object with its variables and functions in a folder."""

from symtape.namespace import show
from symtape.training.saved import face
from symtape.training.saved.face import (
    LoadOptions as LoadOptions,
    SaveOptions as SaveOptions,
    contains_saved_model as contains_saved_model,
    load as load,
    save as save,
)

DEFAULT_SERVING_SIGNATURE_DEF_KEY = face.SERVING
# TensorFlow's names of folders, of files, of tags and of what a signature takes and gives
ASSETS_DIRECTORY = "assets"
ASSETS_KEY = "saved_model_assets"
CLASSIFY_INPUTS = PREDICT_INPUTS = REGRESS_INPUTS = "inputs"
CLASSIFY_METHOD_NAME = "tensorflow/serving/classify"
CLASSIFY_OUTPUT_CLASSES = "classes"
CLASSIFY_OUTPUT_SCORES = "scores"
DEBUG_DIRECTORY = "debug"
DEBUG_INFO_FILENAME_PB = "saved_model_debug_info.pb"
GPU, SERVING, TPU, TRAINING = "gpu", "serve", "tpu", "train"
PREDICT_METHOD_NAME = "tensorflow/serving/predict"
PREDICT_OUTPUTS = REGRESS_OUTPUTS = "outputs"
REGRESS_METHOD_NAME = "tensorflow/serving/regress"
SAVED_MODEL_FILENAME_PB, SAVED_MODEL_FILENAME_PBTXT = "saved_model.pb", "saved_model.pbtxt"
SAVED_MODEL_SCHEMA_VERSION = 1
VARIABLES_DIRECTORY = VARIABLES_FILENAME = "variables"


show(__name__)
