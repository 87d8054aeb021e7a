"""Two small worlds for programs that learn to act: a pole on a cart, and a pendulum."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

GAMES = 3
"""How many are played."""


class CartPole:
    """A pole on a cart that is pushed left or right; it ends when the pole falls."""

    games = 0
    _max_episode_steps = 40
    observation_space = types.SimpleNamespace(
        shape=(4,), high=np.full(4, 4.8), low=-np.full(4, 4.8)
    )
    action_space: Any = types.SimpleNamespace(n=2, sample=lambda: int(np.random.randint(2)))

    def seed(self, seed: int = 0) -> None:
        """Begin anew."""
        self.rng = np.random.RandomState(seed)

    def reset(self, **_: Any) -> Any:
        """Put the cart near the middle; a program that never ends does after a few games."""
        if not hasattr(self, "rng"):
            self.seed()
        self.games += 1
        if self.games > GAMES:
            raise SystemExit
        self.state, self.steps = self.rng.uniform(-0.05, 0.05, 4), 0
        return self.state.copy()

    def step(self, action: Any) -> Any:
        """Push for a fiftieth of a second."""
        _, speed, angle, turn = self.state
        force = 10.0 if int(action) == 1 else -10.0
        sine, cosine = np.sin(angle), np.cos(angle)
        shift = (force + 0.05 * turn**2 * sine) / 1.1
        bend = (9.8 * sine - cosine * shift) / (0.5 * (4.0 / 3.0 - 0.1 * cosine**2 / 1.1))
        push = shift - 0.05 * bend * cosine / 1.1
        self.state = self.state + 0.02 * np.array([speed, push, turn, bend])
        self.steps += 1
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.21 or self.steps >= 40
        return self.state.copy(), 1.0, bool(done), {}

    def render(self, *_: Any, **__: Any) -> Any:
        """Show nothing."""
        return np.zeros((40, 60, 3), np.uint8)

    def close(self) -> None:
        """Let go of nothing."""


class Pendulum(CartPole):
    """A pendulum that is turned by a bounded torque."""

    observation_space = types.SimpleNamespace(shape=(3,), high=np.array([1, 1, 8.0]))
    action_space = types.SimpleNamespace(shape=(1,), high=np.array([2.0]), low=np.array([-2.0]))

    def reset(self, **_: Any) -> Any:
        """Hang it somewhere."""
        super().reset()
        self.state = self.rng.uniform(-1, 1, 2)
        return self._seen()

    def step(self, action: Any) -> Any:
        """Turn for a twentieth of a second."""
        angle, speed = self.state
        torque = float(np.clip(np.asarray(action).ravel()[0], -2, 2))
        speed = np.clip(speed + (15 * np.sin(angle) + 3 * torque) * 0.05, -8, 8)
        self.state = np.array([angle + 0.05 * speed, speed])
        self.steps += 1
        return self._seen(), -float(angle**2 + 0.1 * speed**2), self.steps >= 40, {}

    def _seen(self) -> Any:
        angle, speed = self.state
        return np.array([np.cos(angle), np.sin(angle), speed])


def make(name: str, **_: Any) -> CartPole:
    """Make a world by the name of one that is alike."""
    if "Pendulum" in name:
        return Pendulum()
    if "CartPole" in name:
        return CartPole()
    raise OSError(f"no stand-in for {name}")
