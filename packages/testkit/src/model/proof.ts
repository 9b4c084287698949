import { challenge, type Hex, type Proof, type TokenId, toSeconds } from '@heirloom/core'
import type { Party, World } from '../harness.ts'

/** Wallets sign deterministically, and models ask for the same signatures again and again. */
const signatures = new Map<string, Promise<Hex>>()
const mostSignatures = 20_000

/** Returns the proof of a party for a token, dated some seconds from now. */
export async function proofOf(
  world: World,
  party: Party,
  tokenId: TokenId,
  { signer = party, offset = 0 }: proofOf.Flaws = {},
): Promise<Proof> {
  const claim = { account: party.ledger.agent, timestamp: toSeconds(world.now()) + offset }
  return { ...claim, signature: await signOnce(signer, challenge(tokenId, claim)) }
}

export declare namespace proofOf {
  type Flaws = {
    /** Who really signs. */
    readonly signer?: Party
    /** How far from now it is dated, in seconds. */
    readonly offset?: number
  }
}

function signOnce({ ledger, sign }: Party, message: string): Promise<Hex> {
  const statement = `${ledger.agent}:${message}`
  const known = signatures.get(statement) ?? sign(message)
  if (signatures.size >= mostSignatures) signatures.clear()
  signatures.set(statement, known)
  return known
}
