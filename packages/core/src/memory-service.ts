import { Failure } from './failure.ts'
import type { FailureCode } from './failure-facts.ts'
import type { Names } from './ports/names.ts'
import type { Ports } from './ports/ports.ts'
import { buy, buyFailures } from './use-cases/buy.ts'
import { download, downloadFailures } from './use-cases/download.ts'
import { eraseFailures } from './use-cases/erase.ts'
import { fork, forkFailures } from './use-cases/fork.ts'
import {
  depositGrantFailures,
  grantedLineFailures,
  revokeGrantFailures,
  revokeGrantsFailures,
} from './use-cases/grants.ts'
import { list, listFailures } from './use-cases/list.ts'
import { proveCreator, proveCreatorFailures } from './use-cases/prove-creator.ts'
import { rateFailures } from './use-cases/rate.ts'
import {
  outline,
  outlineFailures,
  part,
  partFailures,
  searchIn,
  searchInFailures,
  selectIn,
  selectInFailures,
} from './use-cases/read-inside.ts'
import { isOwn, isOwnFailures } from './use-cases/read-origin.ts'
import { readSalt, readSaltFailures } from './use-cases/read-sealed.ts'
import {
  listing,
  listingFailures,
  provenance,
  provenanceFailures,
  readOpeningsFailures,
} from './use-cases/read-token.ts'
import { rent, rentFailures } from './use-cases/rent.ts'
import { royalty, royaltyFailures } from './use-cases/royalty.ts'
import { save, saveFailures } from './use-cases/save.ts'
import { seal, sealFailures } from './use-cases/seal.ts'
import { setProfileFailures } from './use-cases/set-profile.ts'
import { snapshot, snapshotFailures } from './use-cases/snapshot.ts'
import type { Salt } from './values/branded.ts'

/**
 * The seven verbs, a save to a name, the two reads, the reads inside a memory, and the seal for a
 * creator that mints itself with its salt, bound to one set of ports.
 */
export type MemoryService = {
  snapshot(input: snapshot.Input): Promise<snapshot.Output>
  save(input: save.Input): Promise<save.Output>
  download(input: download.Input): Promise<download.Output>
  outline(input: outline.Input): Promise<outline.Output>
  part(input: part.Input): Promise<part.Output>
  searchIn(input: searchIn.Input): Promise<searchIn.Output>
  selectIn(input: selectIn.Input): Promise<selectIn.Output>
  isOwn(input: isOwn.Input): Promise<boolean>
  list(input: list.Input): Promise<list.Output>
  buy(input: buy.Input): Promise<buy.Output>
  rent(input: rent.Input): Promise<rent.Output>
  fork(input: fork.Input): Promise<fork.Output>
  royalty(input: royalty.Input): Promise<royalty.Output>
  provenance(input: provenance.Input): Promise<provenance.Output>
  listing(input: listing.Input): Promise<listing.Output>
  proveCreator(input: proveCreator.Input): Promise<void>
  seal(input: seal.Input): Promise<seal.Output>
  readSalt(input: readSalt.Input): Promise<Salt>
}

/** The use cases that a service does not bind. */
type OtherUseCase =
  | 'erase'
  | 'rate'
  | 'setProfile'
  | 'readOpenings'
  | 'depositGrant'
  | 'grantedLine'
  | 'revokeGrant'
  | 'revokeGrants'

/**
 * The failures of each verb and read, of an erasure, a rating, a profile, a list of openings and the acts on grants. A
 * write fails in the ways of any write, too.
 */
export const failuresOf = {
  list: listFailures,
  buy: buyFailures,
  rent: rentFailures,
  fork: forkFailures,
  royalty: royaltyFailures,
  snapshot: snapshotFailures,
  save: saveFailures,
  download: downloadFailures,
  outline: outlineFailures,
  part: partFailures,
  searchIn: searchInFailures,
  selectIn: selectInFailures,
  isOwn: isOwnFailures,
  provenance: provenanceFailures,
  listing: listingFailures,
  proveCreator: proveCreatorFailures,
  seal: sealFailures,
  readSalt: readSaltFailures,
  erase: eraseFailures,
  rate: rateFailures,
  setProfile: setProfileFailures,
  readOpenings: readOpeningsFailures,
  depositGrant: depositGrantFailures,
  grantedLine: grantedLineFailures,
  revokeGrant: revokeGrantFailures,
  revokeGrants: revokeGrantsFailures,
} as const satisfies Readonly<Record<keyof MemoryService | OtherUseCase, readonly FailureCode[]>>

/** Creates a service that works through the given ports. */
export function memoryService(ports: Ports): MemoryService {
  return {
    snapshot: (input) => snapshot(ports, input),
    save: async (input) => save({ ...ports, names: requireNames(ports) }, input),
    download: (input) => download(ports, input),
    outline: (input) => outline(ports, input),
    part: (input) => part(ports, input),
    searchIn: (input) => searchIn(ports, input),
    selectIn: (input) => selectIn(ports, input),
    isOwn: (input) => isOwn(ports, input),
    list: (input) => list(ports, input),
    buy: (input) => buy(ports, input),
    rent: (input) => rent(ports, input),
    fork: (input) => fork(ports, input),
    royalty: (input) => royalty(ports, input),
    provenance: (input) => provenance(ports, input),
    listing: (input) => listing(ports, input),
    proveCreator: (input) => proveCreator(ports, input),
    seal: (input) => seal(ports, input),
    readSalt: (input) => readSalt(ports, input),
  }
}

function requireNames({ names }: Ports): Names {
  if (names === undefined) throw new Failure('name/unavailable', { operation: 'hold' })
  return names
}
