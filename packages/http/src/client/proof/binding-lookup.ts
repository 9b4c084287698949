import type { Binding } from '../../api/bound-text.ts'
import type { Deployment } from '../responses.ts'
import type { Transport } from '../transport/transport.ts'

/**
 * Returns what a bound proof names, where a server offers to take one for the origin at which it
 * is reached. One that names another origin could hand the proof on to there.
 */
export function bindingIn(
  { proofs, origin, chainId, registry }: Deployment,
  reachedAt: string,
): Binding | undefined {
  if (!proofs?.includes('eip4361') || origin !== reachedAt) return undefined
  return { origin, chainId, registry: registry as Binding['registry'] }
}

/** Asks a server once what a bound proof for it names; one that does not answer is asked again. */
export function offeredBinding(
  { open }: Pick<Transport, 'open'>,
  url: string | URL,
): () => Promise<Binding | undefined> {
  let known: Promise<Binding | undefined> | undefined
  const ask = async () => {
    const reply = await open({ method: 'GET', path: '/api/deployment', options: {} })
    return bindingIn((await reply.json()) as Deployment, new URL(url).origin)
  }
  return () => {
    known ??= ask().catch(() => {
      known = undefined
      return undefined
    })
    return known
  }
}
