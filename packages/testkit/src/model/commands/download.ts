import { type Instant, isActive } from '@heirloom/core'
import fc from 'fast-check'
import type { ServiceHarness } from '../../harness.ts'
import { assertDocument } from '../invariants.ts'
import {
  idOf,
  type Model,
  type ModelToken,
  mayOpen,
  refusalOf,
  tokenOf,
  type Who,
} from '../model.ts'
import { arbitraryPick, arbitraryWho } from '../picks.ts'
import { proofOf } from '../proof.ts'
import { agree, command, type Drawn, firstOf, partyOf, serviceOf } from '../step.ts'

const everyone: readonly Who[] = [0, 1, 2, 3]

/** The relations of a wallet to a token; a wallet may have several of them. */
const roles: {
  readonly [role: string]: (token: ModelToken, who: Who, now: Instant) => boolean
} = {
  owner: (token, who) => token.owner === who,
  renter: (token, who, now) => token.owner !== who && isActive(token.rentals.get(who), now),
  'former owner': (token, who, now) => token.formerOwners.has(who) && !mayOpen(token, who, now),
  'expired renter': (token, who, now) => token.rentals.has(who) && !mayOpen(token, who, now),
  stranger: (token, who, now) =>
    !mayOpen(token, who, now) && !token.rentals.has(who) && !token.formerOwners.has(who),
}

/** The kinds of proofs: valid, too old, too early or signed by another wallet. */
const proofs = {
  fresh: { offset: 0, forged: false },
  older: { offset: -60, forged: false },
  early: { offset: 60, forged: false },
  stale: { offset: -300, forged: false },
  'too early': { offset: 300, forged: false },
  forged: { offset: 0, forged: true },
} as const

const parts = {
  role: fc.constantFrom('expired renter', ...Object.keys(roles)),
  pick: arbitraryPick,
  /** The party whose service is called; the outcome does not depend on it. */
  through: arbitraryWho,
  kind: fc.constantFrom('fresh', 'fresh', 'fresh', 'fresh', ...keysOf(proofs)),
}

type Input = Drawn<typeof parts>

/** Downloads a memory with a wallet of one role. */
export const downloadCommand = command('download', parts, run)

async function run(model: Model, harness: ServiceHarness, { role, pick, through, kind }: Input) {
  const now = harness.now()
  const tokenId = idOf(model, pick, (token) => partyWithRole(token, role, now) !== undefined)
  const token = tokenOf(model, tokenId)
  const who = partyWithRole(token, role, now)
  if (who === undefined) return undefined
  return runDownload(model, harness, { token, tokenId, who, role, through, kind })
}

type Download = Omit<Input, 'pick'> & {
  readonly tokenId: ModelToken['id']
  readonly token: ModelToken | undefined
  /** The party that proves itself. */
  readonly who: Who
}

/** Downloads a memory as a party, and asserts what the model predicts; returns its token. */
export async function runDownload(
  model: Model,
  harness: ServiceHarness,
  { token, tokenId, who, role, through, kind }: Download,
) {
  const now = harness.now()
  const party = partyOf(harness, who)
  const { offset, forged } = proofs[kind]
  const signer = forged ? partyOf(harness, ((who + 1) % 4) as Who) : party
  const proof = await proofOf(harness, party, tokenId, { signer, offset })
  const predicted = firstOf(
    [Math.abs(offset) > 120, 'proof/stale'],
    [forged, 'proof/not-signed'],
    [token === undefined, 'token/not-found'],
    ...refusals(model, token, who, now),
  )
  const isProven = !forged && Math.abs(offset) <= 120
  const verb = isProven ? `download as ${token ? role : 'anyone'}` : 'download without proof'
  const opened = await agree(
    model,
    verb,
    predicted,
    serviceOf(harness, through).download({ tokenId, proof }),
  )
  if (opened && token) assertDocument(token, opened)
  return token
}

function refusals(model: Model, token: ModelToken | undefined, who: Who, now: Instant) {
  const refusal = token && refusalOf(model, token, who, now)
  return refusal === undefined ? [] : [[true, refusal] as const]
}

function partyWithRole(token: ModelToken | undefined, role: string, now: Instant): Who | undefined {
  if (token === undefined) return 0
  return everyone.find((who) => roles[role]?.(token, who, now))
}

function keysOf<T extends object>(table: T): readonly (keyof T)[] {
  return Object.keys(table) as (keyof T)[]
}
