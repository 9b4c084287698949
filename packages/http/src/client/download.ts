import type { Hex } from '@heirloom/core'
import { type Account, proofOf } from './proof/access-proof.ts'
import { type Answer, jsonOf } from './transport/decode-response.ts'
import type { TokenIdInput } from './requests.ts'
import type { Binding } from '../api/bound-text.ts'
import { contentHashOf } from './proof/content-hash.ts'
import { HeirloomError } from './heirloom-error.ts'
import { notVerified } from './proof/not-verified.ts'
import type { AskRecorded } from './proof/recorded-hash.ts'
import { spelledId } from './transport/encode-values.ts'
import type { Timers } from './transport/timers.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

/** A memory that was opened and found to be what is recorded. */
export type Memory = {
  readonly tokenId: string
  readonly data: object
  readonly metadata: { readonly category: string; readonly [member: string]: unknown }
  /** The exact text that was sealed, in UTF-8; numbers, order and spelling as they were. */
  readonly document: Uint8Array<ArrayBuffer>
  readonly contentHash: Hex
  readonly salt: Hex
}

type Parts = {
  readonly transport: Transport
  readonly account: Account | undefined
  readonly recorded: AskRecorded
  readonly timers: Timers
  /** Returns what a proof for this server names; absent where it takes none that does. */
  readonly bindingOf: () => Promise<Binding | undefined>
}

/** Returns what opens memories. */
export const downloading =
  (parts: Parts) =>
  async (id: TokenIdInput, options: CallOptions = {}): Promise<Memory> => {
    const { transport, account, recorded, timers, bindingOf } = parts
    const tokenId = spelledId(id)
    if (account === undefined) throw noAccount()
    const headers = async () => {
      const binding = await bindingOf()
      return proofOf(account, { tokenId, now: timers.now(), binding })
    }
    const path = `/api/memory/${tokenId}`
    const [answer, expected] = await Promise.all([
      transport.send({ method: 'GET', path, headers, options }),
      recorded(tokenId, { signal: options.signal }),
    ])
    return verified(answer, tokenId, expected)
  }

async function verified(answer: Answer, tokenId: string, expected: Hex): Promise<Memory> {
  const { headers, bytes } = answer
  const salt = (headers.get('x-content-salt') ?? '') as Hex
  if (!/^0x[0-9a-f]{64}$/.test(salt)) throw notVerified(tokenId, 'it came without its salt')
  const found = await contentHashOf(salt, bytes)
  if (found !== expected) {
    throw notVerified(tokenId, `its content hash is ${found} and not ${expected}`)
  }
  if (headers.get('x-content-hash') !== found) {
    throw notVerified(tokenId, 'the server says another content hash of it')
  }
  const { data, metadata } = jsonOf<Pick<Memory, 'data' | 'metadata'>>(answer)
  return { tokenId, data, metadata, document: bytes, contentHash: found, salt }
}

const noAccount = () =>
  new HeirloomError({
    code: 'client/no-account',
    facts: {},
    message: 'Memories are opened by an account; give the client one.',
  })
