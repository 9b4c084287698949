import { type Failure, isFailure, type KeyService } from '@heirloom/core'
import type { Pkcs11Call, Pkcs11Place } from './pkcs11-call.ts'
import { type Pkcs11Process, startProcess, unavailable } from './pkcs11-process.ts'

export type { Pkcs11Place } from './pkcs11-call.ts'

export declare namespace pkcs11KeyService {
  type Options = {
    readonly place: Pkcs11Place
    /** Returns the PIN of the token; absent where it takes none. It is read for each new session. */
    readonly pin?: (() => string) | undefined
    /** Variables for the module, beside those of this process. */
    readonly env?: Readonly<Record<string, string>>
    /** The longest time that the module may take for an answer, in milliseconds. */
    readonly timeout?: number
  }
}

/**
 * Returns the service of a key in a hardware security module, or whatever else has a PKCS#11 module.
 * The module runs in a process of its own, which is ended when it fails or does not answer; the next
 * request starts another one. A PIN that was refused is not sent a second time.
 */
export function pkcs11KeyService({ timeout = 4_000, ...options }: pkcs11KeyService.Options) {
  const session = openSession({ ...options, timeout })
  let last: Promise<unknown> = Promise.resolve()
  const request = async (call: Pkcs11Call): Promise<Uint8Array> => {
    const wasOpen = session.isOpen()
    const startedAt = performance.now()
    return session.ask(call).catch((error: unknown) => {
      const isSlow = performance.now() - startedAt >= timeout / 2
      if (!wasOpen || isSlow || isFailure(error, 'config/invalid')) throw error
      // Once more in a new session: whatever the old one signed went nowhere.
      return session.ask(call)
    })
  }
  /**
   * One request after another, since a module has one session. What had to wait for too long is not
   * sent any more: its caller has given it up, and would have it signed for nothing.
   */
  const queued = (call: Pkcs11Call): Promise<Uint8Array> => {
    const sentAt = performance.now()
    const result = last.then(() => {
      if (performance.now() - sentAt < timeout) return request(call)
      throw unavailable(call.kind, 'the requests before it took too long')
    })
    last = result.catch(() => undefined)
    return result
  }
  return {
    publicKey: () => queued({ kind: 'public-key' }),
    sign: (digest) => queued({ kind: 'sign', digest }),
    close: session.close,
  } satisfies KeyService
}

type Session = {
  readonly isOpen: () => boolean
  readonly ask: (call: Pkcs11Call) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

/** Returns a session that opens the token anew after each failure, but for one of a setting. */
function openSession({
  place,
  pin,
  env,
  timeout,
}: pkcs11KeyService.Options & { readonly timeout: number }): Session {
  let process: Pkcs11Process | undefined
  let refused: Failure | undefined
  const end = async () => {
    const ended = process
    process = undefined
    await ended?.end()
  }
  const open = async (): Promise<Pkcs11Process> => {
    if (process?.isRunning()) return process
    await end()
    process = startProcess(env)
    await process.ask({ kind: 'open', place, pin: pin?.() }, timeout)
    return process
  }
  return {
    isOpen: () => process?.isRunning() === true,
    ask: async (call) => {
      if (refused !== undefined) throw refused
      try {
        return await (await open()).ask(call, timeout)
      } catch (error) {
        await end()
        if (isFailure(error, 'config/invalid')) refused = error
        throw error
      }
    },
    close: () => {
      refused ??= unavailable('a closed token', 'it is closed')
      return end()
    },
  }
}
