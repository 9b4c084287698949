import { challenge, type Hex, type Proof, type TokenId, toSeconds } from '@heirloom/core'
import type { Party, ServiceHarness } from '../harness.ts'

/** A cache, because wallets sign deterministically and models repeat the same signatures. */
const signatures = new Map<string, Promise<Hex>>()
const maxSignatures = 20_000

/** Returns the proof of a party for a token, dated some seconds from now. */
export async function proofOf(
  harness: ServiceHarness,
  party: Party,
  tokenId: TokenId,
  { signer = party, offset = 0 }: proofOf.Flaws = {},
): Promise<Proof> {
  const claim = { account: party.ledger.agent, timestamp: toSeconds(harness.now()) + offset }
  return { ...claim, signature: await signOnce(signer, challenge(tokenId, claim)) }
}

export declare namespace proofOf {
  type Flaws = {
    /** The party that signs instead. */
    readonly signer?: Party
    /** The difference of its time from now, in seconds. */
    readonly offset?: number
  }
}

function signOnce({ ledger, sign }: Party, message: string): Promise<Hex> {
  const statement = `${ledger.agent}:${message}`
  const signature = signatures.get(statement) ?? sign(message)
  if (signatures.size >= maxSignatures) signatures.clear()
  signatures.set(statement, signature)
  return signature
}
