import type { LocalAccount } from 'viem'
import { onTestFinished } from 'vitest'
import {
  type InterceptingProxy,
  interceptingProxy,
} from '../../../packages/http/test/intercepting-proxy.ts'
import { agentOf } from '../process/server.ts'
import type { SharedServer } from '../process/shared-server.ts'
import { localSigner } from './local-signer.ts'
import { runPython, type ScriptEnvironment } from './run-python.ts'

/** The beginning of every script: a client whose proofs a signer of the test signs. */
const preamble = `
import json, os, sys
from urllib.request import urlopen
from heirloom import Heirloom, HeirloomError, Memory, NameMoved

address = os.environ['ADDRESS']

def sign(text):
    with urlopen(os.environ['SIGNER'], data=text.encode()) as response:
        return response.read().decode()

def failure_of(call):
    try:
        call()
    except HeirloomError as error:
        return {'kind': type(error).__name__, **vars(error)}

retries = int(os.environ.get('RETRIES', 3))
client = Heirloom(os.environ['HEIRLOOM_URL'], 'not-required\\n', sign, address, retries=retries)
server = client._read('/api/deployment')
category = {'category': 'support'}
`

/**
 * Runs the rest of a script with a wallet, the agent wallet of a server when absent, and returns the
 * JSON that it prints.
 */
export async function runScript(
  server: SharedServer,
  script: string,
  more: ScriptEnvironment = {},
  wallet: LocalAccount = agentOf(server.home),
): Promise<unknown> {
  const signer = await localSigner(wallet)
  try {
    const environment = { HEIRLOOM_URL: server.url, SIGNER: signer.url, ADDRESS: wallet.address }
    return JSON.parse(await runPython(preamble + script, { ...environment, ...more }))
  } finally {
    await signer.close()
  }
}

/** Starts a proxy in front of a server until the test ends. */
export async function proxyOf(server: SharedServer): Promise<InterceptingProxy> {
  const proxy = await interceptingProxy(server.url)
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  return proxy
}
