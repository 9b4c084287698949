import {
  type Account,
  type Name,
  type NameRecord,
  type Names,
  type NamesPage,
  type PageInput,
  sameAccount,
} from '@heirloom/core'

/** Names that a request may mean: those of an owner, or of these the ones that an account may open. */
export type NameWorld = {
  readonly owner: string
  /** The account to which the last version of a name was minted; anybody when absent. */
  readonly mintedTo?: Account | undefined
}

/** A name, and whose it is. */
export type FoundLine = NameRecord & { readonly owner: string }

type Lookup = Pick<Names, 'find'>

/** Finds a name in the first of several worlds that has it; `undefined` where none has. */
export async function findLine(
  names: Lookup,
  worlds: readonly NameWorld[],
  name: Name,
): Promise<FoundLine | undefined> {
  for (const world of worlds) {
    const found = await names.find({ owner: world.owner, name })
    if (found !== undefined && isMeant(world, found)) return { ...found, owner: world.owner }
  }
  return undefined
}

/** Returns the owner under whom a name goes on, or begins in the first world where it is free. */
export async function ownerToSave(
  names: Lookup,
  worlds: readonly NameWorld[],
  name: Name,
): Promise<string> {
  let free: string | undefined
  for (const world of worlds) {
    const found = await names.find({ owner: world.owner, name })
    if (found === undefined) free ??= world.owner
    else if (isMeant(world, found)) return world.owner
  }
  const owner = free ?? worlds[0]?.owner
  if (owner === undefined) throw new Error('A request that saves means the names of somebody.')
  return owner
}

const isMeant = ({ mintedTo }: NameWorld, { last }: NameRecord): boolean =>
  mintedTo === undefined || sameAccount(last.recipient, mintedTo)

/** The mark of a cursor, once for each world before the one that it is of; no name begins with it. */
const mark = '/'

/** Returns a page of the names of several worlds, one world after the other. */
export async function listLines(
  names: Pick<Names, 'find' | 'list'>,
  worlds: readonly NameWorld[],
  { after = '', limit }: PageInput,
): Promise<NamesPage<NameRecord>> {
  const cursor = after.replace(/^\/+/, '')
  const at = after.length - cursor.length
  const world = worlds[at]
  if (world === undefined) return { items: [], next: undefined }
  const page = await names.list(world.owner, { after: cursor || undefined, limit })
  const items = await shownOf(names, { world, earlier: worlds.slice(0, at) }, page.items)
  if (page.next !== undefined) return { items, next: `${mark.repeat(at)}${page.next}` }
  const next = at + 1 < worlds.length ? mark.repeat(at + 1) : undefined
  const room = limit - items.length
  if (next === undefined || room === 0) return { items, next }
  const rest = await listLines(names, worlds, { after: next, limit: room })
  return { items: [...items, ...rest.items], next: rest.next }
}

type Shown = { readonly world: NameWorld; readonly earlier: readonly NameWorld[] }

/** Returns the names of a world that the caller may mean, and that no earlier world has. */
async function shownOf(
  names: Lookup,
  { world, earlier }: Shown,
  items: readonly NameRecord[],
): Promise<readonly NameRecord[]> {
  const meant = items.filter((it) => isMeant(world, it))
  const others = await Promise.all(meant.map((it) => findLine(names, earlier, it.name)))
  return meant.filter((_, at) => others[at] === undefined)
}
