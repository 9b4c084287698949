import {
  Failure,
  type HoldId,
  type HoldResult,
  type Idempotency,
  lineName,
  type NamedMint,
  type NameRecord,
  type Names,
  type OwnedName,
  type PageInput,
  type SavedVersion,
  type SaveRequest,
  type SealedVersion,
  type TokenId,
  tokenId,
} from '@heirloom/core'

/** A save that holds a name; `ended` resolves when it is decided. */
type Hold = {
  readonly id: HoldId
  readonly request: SaveRequest
  readonly ended: PromiseWithResolvers<void>
  sealed?: SealedVersion
}

/** A name, with its versions from the first on. */
type Line = OwnedName & { readonly versions: SavedVersion[]; hold?: Hold | undefined }

/** The saves that had a key, by owner and key. */
type Keyed = Map<string, { readonly fingerprint: string; readonly hold: Hold }>

type State = {
  readonly lines: Map<string, Line>
  readonly keyed: Keyed
  readonly saved: Map<HoldId, SavedVersion>
}

/** Creates names in memory. */
export function memoryNames(): Names {
  const state: State = { lines: new Map(), keyed: new Map(), saved: new Map() }
  let holds = 0
  const { lines } = state
  const shown = (of: OwnedName) => {
    const line = lines.get(lineName(of))
    return line === undefined || line.versions.length === 0 ? undefined : line
  }
  return {
    hold: (request) => hold(state, request, () => `hold ${holds++}`),
    note: async (id, sealed) => {
      lineHeldBy(state, id).hold.sealed = sealed
    },
    move: async (id, minted) => move(state, id, minted),
    release: async (id, refused) => {
      if (refused === undefined || !state.saved.has(id)) release(state, id)
    },
    find: async (of) => {
      const line = shown(of)
      return line && recordOf(line)
    },
    list: async (owner, page) => {
      const own = [...lines.values()].filter((it) => it.owner === owner && it.versions.length > 0)
      const sorted = own.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(recordOf)
      return pageOf(sorted, page, ({ name }) => name)
    },
    versions: async (of, page) => {
      const { versions } = requireShown(shown(of), of)
      return pageOf(versions.toReversed(), page, ({ version }) => `${version}`)
    },
    versionOf: async (of, token) => shown(of)?.versions.find(({ tokenId }) => tokenId === token),
    rename: async (of, to) => {
      const line = requireFree(requireShown(shown(of), of))
      if (to === of.name) return
      const target = { owner: of.owner, name: to }
      if (lines.has(lineName(target))) throw new Failure('name/taken', { name: to })
      lines.delete(lineName(of))
      lines.set(lineName(target), { ...line, ...target })
    },
    forget: async (of, last) => {
      const { versions } = requireFree(requireShown(shown(of), of))
      if (last !== undefined) refuseMoved(of, last, versions.at(-1))
      lines.delete(lineName(of))
    },
  }
}

async function hold(state: State, request: SaveRequest, newId: () => HoldId): Promise<HoldResult> {
  const { owner, name } = request
  const last = () => state.lines.get(lineName({ owner, name }))?.versions.at(-1)
  const after = request.after ?? last()?.tokenId ?? tokenId(0n)
  for (;;) {
    const earlier = findKeyed(state, request)
    const version = earlier && state.saved.get(earlier.id)
    if (version !== undefined) return { kind: 'saved', version }
    const line = lineOf(state, { owner, name })
    const running = earlier ?? line.hold
    if (running === undefined) {
      refuseMoved(request, after, last())
      return begin(state, line, { id: newId(), request, ended: Promise.withResolvers<void>() })
    }
    await running.ended.promise
  }
}

function move(state: State, id: HoldId, minted: NamedMint): SavedVersion {
  const earlier = state.saved.get(id)
  if (earlier !== undefined) return earlier
  const { line, hold } = lineHeldBy(state, id)
  const { acceptedAt: savedAt, ...token } = minted
  if (hold.sealed === undefined) throw new Error('A hold is noted before its mint.')
  const place = { version: line.versions.length + 1, savedAt, savedBy: hold.request.savedBy }
  const version = { ...hold.sealed, ...token, ...place }
  line.versions.push(version)
  state.saved.set(id, version)
  end(line)
  return version
}

function begin(state: State, line: Line, hold: Hold): HoldResult {
  line.hold = hold
  const { owner, idempotency } = hold.request
  if (idempotency !== undefined) {
    const { fingerprint } = idempotency
    state.keyed.set(keyOf(owner, idempotency), { fingerprint, hold })
  }
  return { kind: 'held', id: hold.id, last: line.versions.at(-1) }
}

function refuseMoved({ name }: OwnedName, after: TokenId, last: SavedVersion | undefined): void {
  const { tokenId: newest, version } = last ?? { tokenId: tokenId(0n), version: 0 }
  if (newest !== after) throw new Failure('name/moved', { name, tokenId: newest, version })
}

function findKeyed(state: State, { owner, idempotency }: SaveRequest): Hold | undefined {
  if (idempotency === undefined) return undefined
  const found = state.keyed.get(keyOf(owner, idempotency))
  if (found === undefined || found.fingerprint === idempotency.fingerprint) return found?.hold
  throw new Failure('idempotency/key-reused', {})
}

const keyOf = (owner: string, { key }: Idempotency): string => `${owner}\n${key}`

function lineOf(state: State, of: OwnedName): Line {
  const line = state.lines.get(lineName(of)) ?? { ...of, versions: [] }
  state.lines.set(lineName(of), line)
  return line
}

function lineHeldBy(state: State, id: HoldId): { readonly line: Line; readonly hold: Hold } {
  for (const line of state.lines.values()) {
    if (line.hold?.id === id) return { line, hold: line.hold }
  }
  throw new Error('The hold has ended.')
}

function release(state: State, id: HoldId): void {
  const { line, hold } = lineHeldBy(state, id)
  const { owner, idempotency } = hold.request
  if (idempotency !== undefined) state.keyed.delete(keyOf(owner, idempotency))
  if (line.versions.length === 0) state.lines.delete(lineName(line))
  end(line)
}

function end(line: Line): void {
  const { hold } = line
  line.hold = undefined
  hold?.ended.resolve()
}

function requireShown(line: Line | undefined, { name }: OwnedName): Line {
  if (line === undefined) throw new Failure('name/not-found', { name })
  return line
}

function requireFree(line: Line): Line {
  if (line.hold !== undefined) throw new Failure('name/held', { name: line.name })
  return line
}

const recordOf = ({ name, versions }: Line): NameRecord => {
  const last = versions.at(-1)
  if (last === undefined) throw new Error('A name that is shown has a version.')
  return { name, last }
}

function pageOf<Item>(
  items: readonly Item[],
  { after, limit }: PageInput,
  cursorOf: (item: Item) => string,
) {
  const from = after === undefined ? 0 : items.findIndex((it) => cursorOf(it) === after) + 1
  const page = items.slice(from, from + limit)
  const last = page.at(-1)
  const isMore = from + limit < items.length
  return { items: page, next: isMore && last !== undefined ? cursorOf(last) : undefined }
}
