import type { Binding } from '../../api/signed-texts.ts'
import type { Deployment } from '../responses.ts'
import { decodeResponse, readWhole } from '../transport/decode-response.ts'
import { requestLine } from '../transport/request-line.ts'
import type { Transport } from '../transport/transport.ts'

/**
 * Returns the binding of proofs for a server, if it accepts bound proofs for the origin the client
 * uses. A server that names another origin could forward the proof to that origin.
 */
export function findBinding(
  { proofs, origin, chainId, registry }: Deployment,
  usedOrigin: string,
): Binding | undefined {
  if (!proofs?.includes('eip4361') || origin !== usedOrigin) return undefined
  return { origin, chainId, registry: registry as Binding['registry'] }
}

/** Returns a lookup of the binding, which is read once; a failed read is repeated. */
export function bindingLookup(
  { open }: Pick<Transport, 'open'>,
  url: string | URL,
): () => Promise<Binding | undefined> {
  let cached: Promise<Binding | undefined> | undefined
  const read = async () => {
    const reply = await open({ ...requestLine('deployment'), options: {} })
    const answer = { status: reply.status, bytes: await readWhole(reply) }
    return findBinding(decodeResponse<Deployment>(answer), new URL(url).origin)
  }
  return () => {
    cached ??= read().catch(() => {
      cached = undefined
      return undefined
    })
    return cached
  }
}
