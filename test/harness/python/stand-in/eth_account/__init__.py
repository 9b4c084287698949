"""Stands in for eth-account, which the tests cannot install: the same calls, signed by viem."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

PROGRAM = str(Path(__file__).parents[2] / "sign-text.ts")


def _run(*words):
    return subprocess.run(["node", PROGRAM, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


class Account:
    @staticmethod
    def from_key(key):
        def sign_message(message):
            return SimpleNamespace(signature=bytes.fromhex(_run(key, message)[2:]))

        return SimpleNamespace(address=_run(key), sign_message=sign_message)
