import { type Account, account, Failure, isFailure, type KeyService } from '@heirloom/core'
import { bytesToHex, type Hex, hexToBytes, isAddressEqual, toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { Means } from '../../platform/means.ts'
import { memoize } from '../../platform/memoize.ts'
import { silenceWatch } from '../../platform/nodes/silence-watch.ts'
import { rejectAfter } from '../../platform/reject-after.ts'
import { loadKeyRecovery } from '../signatures/key-recovery.ts'
import type { Signature, Signer } from './signer-wallet.ts'

/** The end of a request to a key service, and the time it took in milliseconds. */
export type KeyServiceEvent = {
  readonly operation: KeyServiceOperation
  readonly milliseconds: number
  /** Why it failed; absent when it did not. */
  readonly failure?: Failure | undefined
}

/** A request to a key service. */
export type KeyServiceOperation = 'public-key' | 'sign'

/** A signer whose key is in a service. */
export type KeyServiceSigner = Pick<Signer, 'address'> & {
  /**
   * Signs a digest of 32 bytes.
   *
   * @throws `key-service/unavailable`, `key-service/wrong-key`
   */
  readonly sign: (digest: Uint8Array) => Promise<Signature>
  /**
   * Requires that the service answers and has the key of the account. Signs nothing.
   *
   * @throws `config/invalid`, `key-service/unavailable`
   */
  readonly check: () => Promise<void>
  /** The service as the means of writing: a server whose service is silent leads no wallet. */
  readonly means: Means
  readonly close: () => Promise<void>
}

export declare namespace keyServiceSigner {
  type Options = {
    readonly service: KeyService
    /** The account that the service must sign for. */
    readonly address: Account
    /** The longest time that an answer may take, in milliseconds. */
    readonly timeout?: number
    readonly observe?: (event: KeyServiceEvent) => void
  }
}

/** The time without a soon answer after which a service is silent, in milliseconds. */
const silentAfter = 4_000

/**
 * Returns the signer of a key in a service. It believes no signature: each must be of the account,
 * or it goes nowhere. What an adapter says of an error stays out of failures, for it may quote
 * credentials, and a failure may go to a client.
 */
export function keyServiceSigner({
  service,
  address,
  timeout = 5_000,
  observe = () => undefined,
}: keyServiceSigner.Options): KeyServiceSigner {
  const recovery = memoize(loadKeyRecovery)
  const isNoAnswer = (error: unknown) => isFailure(error, 'key-service/unavailable')
  const watch = silenceWatch({ patience: silentAfter, isNoAnswer })
  const ask = async <T>(operation: KeyServiceOperation, act: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const end = (failure?: Failure) =>
      observe({ operation, milliseconds: performance.now() - startedAt, failure })
    try {
      const result = await rejectAfter(timeout, call(act), () => unavailable(operation))
      end()
      return result
    } catch (error) {
      const failure = failureOf(error, operation)
      end(failure)
      throw failure
    }
  }
  const sign = async (digest: Uint8Array): Promise<Signature> => {
    const recover = await recovery()
    const signed = async () => {
      // A copy, which an adapter may transfer or change.
      const bytes = await service.sign(Uint8Array.from(digest))
      const found = await signatureOf(bytes, address, (signature) => recover(digest, signature))
      if (found === undefined) throw new Failure('key-service/wrong-key', { account: address })
      return found
    }
    return watch.ask(() => ask('sign', signed))
  }
  const check = async () => {
    const key = await watch.ask(() => ask('public-key', () => service.publicKey()))
    requireAccount(key, address)
  }
  return {
    address,
    sign: (digest) => sign(digest).catch(hideSettings),
    check,
    means: {
      areSilent: watch.isSilent,
      answer: memoize(() => watch.isAnsweredSoon(check), { resultFor: 0 }),
    },
    close: async () => service.close?.(),
  }
}

/** Calls an adapter, which may be JavaScript that throws instead of rejecting. */
const call = async <T>(act: () => Promise<T>): Promise<T> => act()

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

type Recover = (signature: {
  readonly compact: Uint8Array
  readonly recovery: 0 | 1
}) => Promise<Uint8Array | undefined> | Uint8Array | undefined

/** Returns 64 bytes of r and s as the signature of an account; `undefined` if they are none. */
async function signatureOf(
  bytes: Uint8Array,
  address: Hex,
  recover: Recover,
): Promise<Signature | undefined> {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 64) return undefined
  const [r, any] = [bytesToHex(bytes.subarray(0, 32)), BigInt(bytesToHex(bytes.subarray(32)))]
  if (any >= order) return undefined
  const s = toHex(any > order / 2n ? order - any : any, { size: 32 })
  const compact = Uint8Array.of(...hexToBytes(r), ...hexToBytes(s))
  for (const recovery of [0, 1] as const) {
    const key = await recover({ compact, recovery })
    if (isKeyOf(key, address)) return { r, s, yParity: recovery }
  }
  return undefined
}

const isKeyOf = (key: Uint8Array | undefined, address: Hex): boolean =>
  key !== undefined && isAddressEqual(publicKeyToAddress(bytesToHex(key)), address)

function requireAccount(key: Uint8Array, address: Hex): void {
  if (!(key instanceof Uint8Array) || key.length !== 65 || key[0] !== 4) {
    const problem = 'names a service whose public key is not one of secp256k1, of 65 bytes'
    throw new Failure('config/invalid', { name: 'AGENT_KEY_SERVICE', problem })
  }
  const actual = account(publicKeyToAddress(bytesToHex(key)))
  if (isAddressEqual(actual, address)) return
  const problem = `is ${address}, but the key that AGENT_KEY_SERVICE names is that of ${actual}; correct one of the two`
  throw new Failure('config/invalid', { name: 'AGENT_ADDRESS', problem })
}

const unavailable = (operation: KeyServiceOperation, cause?: unknown) =>
  new Failure('key-service/unavailable', { operation }, { cause })

function failureOf(error: unknown, operation: KeyServiceOperation): Failure {
  if (isFailure(error, 'config/invalid') || isFailure(error, 'key-service/wrong-key')) return error
  if (isFailure(error, 'key-service/unavailable')) return unavailable(operation, error.cause)
  return unavailable(operation, error instanceof Error ? new Error(error.name) : undefined)
}

/** A client of the server is told nothing of its settings. */
function hideSettings(error: unknown): never {
  if (isFailure(error, 'config/invalid')) throw unavailable('sign', error)
  throw error
}
