import type { SqlCatalogue } from '@heirloom/adapters/catalogue'
import { type FindMinted, type SqlNames, sqlNames } from '@heirloom/adapters/internal/names'
import type { JobStore } from '@heirloom/adapters/job-store'
import type { Registry } from '@heirloom/core'
import { catchUp } from '../catch-up.ts'

/** The longest wait for the catalogue to show the head of the chain, in milliseconds. */
const catchUpLimit = 5000

type Parts = {
  readonly store: JobStore
  readonly registry: Registry
  readonly catalogue: Pick<SqlCatalogue, 'caughtUp' | 'mintOf'>
}

/** Opens the names of a server, which finds in the catalogue what was minted. */
export const openNames = ({ store, registry, catalogue }: Parts): SqlNames =>
  sqlNames(store, { registry, findMinted: findMintedIn(catalogue) })

const findMintedIn =
  (catalogue: Parts['catalogue']): FindMinted =>
  async (minted) => {
    await catchUp(catalogue, catchUpLimit)
    return catalogue.mintOf(minted)
  }
