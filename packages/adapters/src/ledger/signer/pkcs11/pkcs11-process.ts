import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { Failure } from '@heirloom/core'
import type { Pkcs11Answer, Pkcs11Call } from './pkcs11-call.ts'

// In a bundle, the program is beside this one with the same extension.
const program = new URL(`./pkcs11-program${extname(import.meta.url)}`, import.meta.url)

/** A process that has loaded a PKCS#11 module. */
export type Pkcs11Process = {
  readonly isRunning: () => boolean
  /**
   * Sends a call and returns its answer, within a time in milliseconds.
   *
   * @throws `key-service/unavailable`, `config/invalid`
   */
  readonly ask: (call: Pkcs11Call, timeout: number) => Promise<Uint8Array>
  /** Ends it, whatever it does, and waits for its end. */
  readonly end: () => Promise<void>
}

/** Starts a process with further variables. */
export function startProcess(env?: Readonly<Record<string, string>>): Pkcs11Process {
  const child = fork(program, {
    env: { ...process.env, ...env },
    // It inherits no options of this process, such as those of a debugger.
    execArgv: [],
    serialization: 'advanced',
    // A library that is debugged may print a PIN, and the log has lines of JSON only.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a listener an error of sending, or of starting, would end this process.
  child.on('error', () => undefined)
  release(child)
  return {
    isRunning: () => child.connected,
    ask: (call, timeout) => ask(child, call, timeout),
    end: () => kill(child),
  }
}

/** Keeps this process alive for the child no longer. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.ref()
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Sends a call and returns its answer, within a time in milliseconds. */
async function ask(child: ChildProcess, call: Pkcs11Call, timeout: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const onMessage = (answer: Pkcs11Answer) => {
    if (answer.kind === 'done') resolve(answer.bytes)
    else if (answer.kind === 'down') reject(unavailable(call.kind, answer.reason))
    else reject(wrong(answer))
  }
  const onEnd = (code: unknown, signal?: unknown) =>
    reject(unavailable(call.kind, `its process ended: ${signal ?? code}`))
  const timer = setTimeout(() => reject(unavailable(call.kind, 'it took too long')), timeout)
  child.ref()
  child.channel?.ref()
  child.on('message', onMessage).on('exit', onEnd).on('error', onEnd)
  try {
    child.send(call)
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
    release(child)
  }
}

/** Returns the failure of a token that does not answer. */
export const unavailable = (operation: string, reason: string): Failure =>
  new Failure('key-service/unavailable', { operation }, { cause: new Error(reason) })

const settings = { key: 'AGENT_KEY_SERVICE', pin: 'AGENT_KEY_PIN' } as const

const wrong = ({ setting, problem }: Extract<Pkcs11Answer, { kind: 'wrong' }>): Failure =>
  new Failure('config/invalid', { name: settings[setting], problem })
