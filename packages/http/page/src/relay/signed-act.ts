import type { SignedAct as OwnSignedAct } from '@heirloom/adapters/internal/wallet'

/** An act that a wallet signed, for somebody else to send; it can be carried out once at most. */
export type SignedAct = Omit<OwnSignedAct, 'since'>

/** The time that a signed act can be carried out, in seconds; long enough for a slow wallet. */
export const validity = 900

/** Returns the last second in which an act that is signed now may be carried out. */
export const deadlineFromNow = (): number => Math.floor(Date.now() / 1000) + validity
