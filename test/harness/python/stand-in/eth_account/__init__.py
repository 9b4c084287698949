"""Stands in for eth-account, which the tests cannot install: the same calls, signed by viem."""

import json
import subprocess
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

PROGRAM = str(Path(__file__).parents[2] / "sign-text.ts")
PIPE = subprocess.PIPE
# One for all calls: it starts in more time than it takes to sign.
SIGNER = subprocess.Popen(["node", PROGRAM], stdin=PIPE, stdout=PIPE, text=True)
LOCK = Lock()


def _run(*words):
    with LOCK:
        SIGNER.stdin.write(json.dumps(words) + "\n")
        SIGNER.stdin.flush()
        return SIGNER.stdout.readline().strip()


class Account:
    @staticmethod
    def from_key(key):
        def sign_message(message):
            return SimpleNamespace(signature=bytes.fromhex(_run(key, message)[2:]))

        return SimpleNamespace(address=_run(key), sign_message=sign_message)
