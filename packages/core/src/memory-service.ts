import type { Salt } from './domain/hash.ts'
import { Failure } from './failure.ts'
import type { Names } from './ports/names.ts'
import type { Ports } from './ports/ports.ts'
import { buy } from './use-cases/buy.ts'
import { download } from './use-cases/download.ts'
import { fork } from './use-cases/fork.ts'
import { list } from './use-cases/list.ts'
import { listing } from './use-cases/listing.ts'
import { outline } from './use-cases/outline.ts'
import { part } from './use-cases/part.ts'
import { proveCreator } from './use-cases/prove-creator.ts'
import { provenance } from './use-cases/provenance.ts'
import { readSalt } from './use-cases/read-salt.ts'
import { rent } from './use-cases/rent.ts'
import { royalty } from './use-cases/royalty.ts'
import { save } from './use-cases/save.ts'
import { seal } from './use-cases/seal.ts'
import { searchIn } from './use-cases/search-in.ts'
import { selectIn } from './use-cases/select-in.ts'
import { snapshot } from './use-cases/snapshot.ts'

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
