"""Where the clients are: repositories and files, none of which is kept here."""

from __future__ import annotations

from typing import NamedTuple


class Client(NamedTuple):
    """A file of a repository, how it is run, and what it needs beside it."""

    group: str
    repo: str
    path: str
    kind: str = "cells"
    """`cells` of a notebook, fenced blocks or a whole script; or `tests`."""
    folders: tuple[str, ...] = ()
    """What is fetched beside the folder of the file."""
    path_of: tuple[str, ...] = ()
    """Folders of the repository that are put on `sys.path`."""
    only: str = ""
    """Of tests with parameters, those of which the path says this."""
    small: int = 256
    """Images of a data set."""
    seconds: int = 60


_DOCS = "tensorflow/docs"
_TENSORFLOW = "graphcore/tensorflow"
"""A fork of 2.6, whose repository is small enough to be copied."""


def _guides() -> list[Client]:
    tape = ("autodiff", "advanced_autodiff")
    core = ("quickstart_core", "logistic_regression_core", "mlp_core", "matrix_core")
    other = (
        *("basics", "tensor", "variable", "function", "intro_to_graphs", "intro_to_modules"),
        *(
            "tensor_slicing",
            "basic_training_loops",
            "random_numbers",
            "effective_tf2",
            "checkpoint",
        ),
        *("data", "tf_numpy", "tf_numpy_type_promotion", "mixed_precision", "dtensor_overview"),
    )
    names = [*tape, *(f"core/{n}" for n in (*core, "optimizers_core", "distribution"))]
    return [
        *(Client("guides", _DOCS, f"site/en/guide/{n}.ipynb", seconds=150) for n in names),
        *(Client("other guides", _DOCS, f"site/en/guide/{n}.ipynb") for n in other),
    ]


def _tutorials() -> list[Client]:
    names = (
        *("customization/basics", "customization/custom_layers"),
        *(
            "customization/custom_training_walkthrough",
            "quickstart/beginner",
            "quickstart/advanced",
        ),
        *("generative/cvae", "generative/dcgan", "generative/pix2pix", "generative/cyclegan"),
        *("generative/style_transfer", "generative/deepdream", "generative/adversarial_fgsm"),
        *("generative/autoencoder", "interpretability/integrated_gradients", "images/cnn"),
        *("reinforcement_learning/actor_critic", "distribute/custom_training"),
        *("distribute/dtensor_ml_tutorial", "distribute/dtensor_keras_tutorial"),
        *("keras/regression", "keras/overfit_and_underfit", "text/text_generation"),
        *("text/word2vec", "text/nmt_with_attention", "structured_data/time_series"),
        *("generative/data_compression",),
    )
    return [Client("tutorials", _DOCS, f"site/en/tutorials/{n}.ipynb") for n in names]


def _tape_tests() -> list[Client]:
    files = (
        *("eager/backprop_test", "eager/forwardprop_test", "eager/tape_test"),
        *("ops/gradient_checker_v2_test", "ops/math_grad_test", "ops/array_grad_test"),
        *("ops/nn_grad_test", "kernel_tests/linalg_grad_test", "kernel_tests/cross_grad_test"),
        *("ops/parallel_for/gradients_test", "eager/function_gradients_test"),
    )
    return [
        Client("TensorFlow's tests", _TENSORFLOW, f"tensorflow/python/{f}.py", "tests", seconds=600)
        for f in files
    ]


def _graphics() -> list[Client]:
    where = {
        "geometry/convolution": ("graph_convolution", "graph_pooling", "utils"),
        "geometry/deformation_energy": ("as_conformal_as_possible",),
        "geometry/representation": ("grid", "point", "ray", "triangle"),
        "geometry/transformation": ("linear_blend_skinning", "look_at", "rotation_matrix_common"),
        "image": ("pyramid",),
        "math": ("math_helpers", "spherical_harmonics"),
        "math/interpolation": ("slerp", "weighted"),
        "math/optimizer": ("levenberg_marquardt",),
        "nn/loss": ("chamfer_distance", "hausdorff_distance"),
        "rendering/camera": ("orthographic", "perspective"),
        "rendering/reflectance": ("lambertian", "phong"),
        "rendering/volumetric": ("absorption", "emission_absorption"),
    }
    return [
        Client(
            *("graphics", "tensorflow/graphics", f"tensorflow_graphics/{f}/tests/{n}_test.py"),
            *("tests", (".",), (".",)),
        )
        for f, names in where.items()
        for n in names
    ]


def _adbench() -> list[Client]:
    folders = ("src/python", "data/ba", "data/gmm", "data/hand", "data/lstm")
    where = "test/python/modules/common"
    return [
        Client(
            *("ADBench", "microsoft/ADBench", f"{where}/{name}_tests.py", "tests"),
            *(folders, ("src/python",), "Tensorflow/"),
            seconds=240,
        )
        for name in ("ba", "gmm", "hand", "lstm")
    ]


def _d2l() -> list[Client]:
    chapters = {
        "preliminaries": ("ndarray", "linear-algebra", "calculus", "autograd", "probability"),
        "linear-regression": (
            *("linear-regression", "oo-design", "synthetic-regression-data"),
            *("linear-regression-scratch", "linear-regression-concise", "weight-decay"),
        ),
        "linear-classification": ("softmax-regression-scratch", "softmax-regression-concise"),
        "multilayer-perceptrons": (
            *("mlp", "mlp-implementation", "numerical-stability-and-init", "dropout"),
        ),
        "optimization": (
            *("optimization-intro", "convexity", "gd", "sgd", "minibatch-sgd", "momentum"),
            *("adagrad", "rmsprop", "adadelta", "adam", "lr-scheduler"),
        ),
        "appendix-mathematics-for-deep-learning": (
            *("geometry-linear-algebraic-ops", "single-variable-calculus"),
            *("multivariable-calculus", "integral-calculus", "maximum-likelihood"),
            *("information-theory", "random-variables", "statistics", "distributions"),
            "eigendecomposition",
        ),
        "convolutional-neural-networks": ("conv-layer", "padding-and-strides", "pooling", "lenet"),
        "recurrent-neural-networks": ("rnn-scratch", "sequence"),
    }
    return [
        Client("d2l", "d2l-ai/d2l-en", f"chapter_{c}/{n}.md", folders=("d2l",), path_of=(".",))
        for c, names in chapters.items()
        for n in names
    ]


def _scripts(group: str, repo: str, *paths: str, seconds: int = 60) -> list[Client]:
    return [
        Client(group, repo, p, "script", folders=(".",), path_of=(".",), seconds=seconds)
        for p in paths
    ]


def _repositories() -> list[Client]:
    return [
        *_scripts(
            "handbook",
            "snowkylin/tensorflow-handbook",
            *(
                f"source/_static/code/zh/{p}.py"
                for p in (
                    *("appendix/tape/high_order_grad", "appendix/tape/tape_basic"),
                    *("appendix/tape/tape_optimization", "appendix/tape/tape_persistent"),
                    *("appendix/tape/tape_watch", "basic/eager/1plus1", "basic/eager/grad"),
                    *("basic/eager/regression", "basic/example/tensorflow_eager_autograd"),
                    *("model/autograph/main", "model/custom/linear", "model/linear/linear"),
                    *("model/mnist/main", "model/partial_update/main", "model/rl/qlearning"),
                    *("model/mnist/cnn", "model/mnist/mlp", "model/text_generation/rnn"),
                    *("model/cnn/mobilenet", "tools/tensorboard/mnist", "tools/tfdata/tutorial"),
                    *("tools/save_and_restore/mnist", "tools/tensorarray/example"),
                    *("tools/tensorboard/grad_v2", "savedmodel/custom/train_and_export"),
                )
            ),
        ),
        *_scripts(
            "examples",
            "YunYang1994/TensorFlow2.0-Examples",
            "1-Introduction/GradientTape.py",
            "1-Introduction/basical_operation.py",
            "1-Introduction/Variables.py",
            "2-Basical_Models/Linear_Regression.py",
            "2-Basical_Models/Logistic_Regression.py",
            "2-Basical_Models/Multilayer_Perceptron.py",
            "2-Basical_Models/CNN.py",
            "3-Neural_Network_Architecture/autoencoder.py",
            "6-Generative_Adversarial_Networks/dcgan.py",
            "6-Generative_Adversarial_Networks/Pix2Pix.py",
        ),
        *(
            Client(
                "examples",
                "aymericdamien/TensorFlow-Examples",
                f"tensorflow_v2/notebooks/{p}.ipynb",
            )
            for p in (
                *("1_Introduction/basic_operations", "2_BasicModels/linear_regression"),
                *("2_BasicModels/logistic_regression", "2_BasicModels/word2vec"),
                *(
                    f"3_NeuralNetworks/{n}"
                    for n in (
                        *("autoencoder", "bidirectional_rnn", "convolutional_network"),
                        *("convolutional_network_raw", "dcgan", "dynamic_rnn"),
                        *("neural_network", "neural_network_raw", "recurrent_network"),
                    )
                ),
                *(
                    "4_Utils/build_custom_layers",
                    "4_Utils/save_restore_model",
                    "4_Utils/tensorboard",
                ),
            )
        ),
        *_scripts(
            "tutorials of others",
            "dragen1860/TensorFlow-2.x-Tutorials",
            "01-TF2.0-Overview/fc_train.py",
            "01-TF2.0-Overview/conv_train.py",
            "03-Play-with-MNIST/main.py",
            "04-Linear-Regression/main.py",
            "05-FashionMNIST/mnist_Seqential_gradient.py",
            "05-FashionMNIST/mnist_matmul.py",
            "06-CIFAR-VGG/main.py",
            "07-Inception/main.py",
            "08-ResNet/main.py",
            "11-AE/main.py",
            "12-VAE/main.py",
            "13-DCGAN/main.py",
            *(
                f"深度学习与TensorFlow入门实战-源码和PPT/{p}"
                for p in (
                    *(
                        "lesson01-初见TensorFlow2.0/autograd.py",
                        "lesson06-手写数字识别初体验/main.py",
                    ),
                    "lesson13-前向传播（张量）-实战/forward.py",
                    "lesson18-数据限幅/main.py",
                    *(
                        f"lesson25-梯度计算/{n}.py"
                        for n in (
                            *("2nd_derivative", "chain_rule", "crossentropy_loss", "mse_grad"),
                            *(
                                "multi_output_perceptron",
                                "sigmoid_grad",
                                "single_output_perceptron",
                            ),
                        )
                    ),
                    "lesson26-优化方法/himmelblau.py",
                    "lesson27-书写数字问题（层）-实战/fashionmnist_layer.py",
                    "lesson30-Keras高层API/metrics.py",
                    "lesson35-Regularization/regularization.py",
                    "lesson37-Early Stopping, Dropout/dropout.py",
                    "lesson49-VAE实战/vae.py",
                    "lesson51-WGAN实战/wgan_train.py",
                    "lesson51-WGAN实战/gan_train.py",
                )
            ),
        ),
        *_scripts(
            "policy gradients",
            "marload/DeepRL-TensorFlow2",
            *("A2C/A2C_Discrete.py", "A2C/A2C_Continuous.py", "PPO/PPO_Discrete.py"),
            *("PPO/PPO_Continuous.py", "DDPG/DDPG_Continuous.py", "DRQN/DRQN_Discrete.py"),
            *("DQN/DQN_Discrete.py",),
            seconds=200,
        ),
        *_scripts(
            "physics",
            "pierremtb/PINNs-TF2.0",
            *("1d-burgers/inf_cont_burgers.py", "1d-burgers/ide_cont_burgers.py"),
            *("1d-burgers/inf_disc_burgers.py", "1d-burgers/ide_disc_burgers.py"),
            "1dcomplex-schrodinger/inf_cont_schrodinger.py",
        ),
        *_scripts("physics", "okada39/pinn_burgers", "main.py"),
        *(
            Client(
                "generative models",
                "timsainb/tensorflow2-generative-models",
                f"{n}-fashion-mnist.ipynb",
            )
            for n in (
                *("0.0-Autoencoder", "1.0-Variational-Autoencoder", "2.0-GAN", "3.0-WGAN-GP"),
                *("4.0-seq2seq", "5.0-GAIA", "6.0-VAE-GAN"),
            )
        ),
        *(
            Client("physics", "janblechschmidt/PDEsByNNs", f"{n}.ipynb")
            for n in ("PINN_Solver", "DeepBSDE_Solver", "Feynman_Kac_Solver")
        ),
        *_scripts(
            "neural ODEs",
            "titu1994/tfdiffeq",
            *(
                f"examples/{n}.py"
                for n in (
                    *("circular_ode_demo", "ode_demo", "lorenz_attractor", "cnf", "latent_ode"),
                )
            ),
        ),
        *(
            Client(
                "neural ODEs", "titu1994/tfdiffeq", f"tests/{n}.py", "tests", (".",), (".", "tests")
            )
            for n in ("gradient_tests", "odeint_tests", "api_tests")
        ),
        *(
            Client("books", "ageron/handson-ml2", f"{n}.ipynb", seconds=90)
            for n in ("12_custom_models_and_training_with_tensorflow", "extra_autodiff")
        ),
        *(
            Client("books", "lyhue1991/eat_tensorflow2_in_30_days", f"english/Chapter{n}.md")
            for n in (
                "2-1",
                "2-2",
                "2-3",
                "3-1",
                "3-2",
                "3-3",
                "4-1",
                "4-2",
                "4-3",
                "4-4",
                "4-5",
                "5-7",
                "6-2",
            )
        ),
    ]


def _books() -> list[Client]:
    deep, generative = "deep learning with Python", "generative deep learning"
    return [
        *(
            Client(deep, "fchollet/deep-learning-with-python-notebooks", f"{p}.ipynb")
            for p in (
                *(
                    f"second_edition/chapter{n}"
                    for n in (
                        *("02_mathematical-building-blocks", "03_introduction-to-keras-and-tf"),
                        *("07_working-with-keras", "09_part03_interpreting-what-convnets-learn"),
                        *("11_part03_transformer", "12_part02_deep-dream"),
                        *("12_part03_neural-style-transfer", "12_part04_variational-autoencoders"),
                        *("12_part05_gans", "13_best-practices-for-the-real-world"),
                    )
                ),
                "chapter07_deep-dive-keras",
            )
        ),
        *(
            Client(
                *(generative, "davidADSP/Generative_Deep_Learning_2nd_Edition"),
                f"notebooks/{p}.ipynb",
                folders=("notebooks",),
                path_of=(".",),
                small=64,
            )
            for p in (
                *("02_deeplearning/01_mlp/mlp", "03_vae/01_autoencoder/autoencoder"),
                *("03_vae/02_vae_fashion/vae_fashion", "04_gan/02_wgan_gp/wgan_gp"),
                *("05_autoregressive/02_pixelcnn/pixelcnn", "06_normflow/01_realnvp/realnvp"),
                *("07_ebm/01_ebm/ebm", "08_diffusion/01_ddm/ddm"),
                *("08_diffusion/01_ddm/sinusoidal_embedding", "09_transformer/gpt/gpt"),
            )
        ),
        *(
            Client(
                "probability",
                "tensorflow/probability",
                f"tensorflow_probability/examples/jupyter_notebooks/{n}.ipynb",
                seconds=90,
            )
            for n in (
                *("A_Tour_of_TensorFlow_Probability", "Bayesian_Gaussian_Mixture_Model"),
                *("Bayesian_Switchpoint_Analysis", "Eight_Schools", "Gaussian_Copula"),
                *("Gaussian_Process_Regression_In_TFP", "Learnable_Distributions_Zoo"),
                *("JointDistributionAutoBatched_A_Gentle_Tutorial", "Probabilistic_PCA"),
                *("Modeling_with_JointDistribution", "TensorFlow_Distributions_Tutorial"),
                "Variational_Inference_and_Joint_Distributions",
            )
        ),
        Client("meta-learning", "hereismari/tensorflow-maml", "maml.ipynb"),
        Client(
            "physics",
            "omniscientoctopus/Physics-Informed-Neural-Networks",
            "TensorFlow/Helmholtz Equation/Helmholtz_Equation.ipynb",
        ),
    ]


CLIENTS = [
    *_guides(),
    *_tutorials(),
    *_tape_tests(),
    *_graphics(),
    *_adbench(),
    *_d2l(),
    *_repositories(),
    *_books(),
]
