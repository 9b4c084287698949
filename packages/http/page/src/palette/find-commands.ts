import type { Profile, Token } from '../../../src/client/responses.ts'
import { withQuery } from '../../../src/client/transport/with-query.ts'
import { findDestination } from '../browse/browse-query.ts'
import { shortenAccount } from '../text/account.ts'

/** A setting that a command changes. */
export type Setting = 'theme' | 'exactness' | 'shortcuts'

/** A command of the page: it leads to a view, perhaps to a heading of it, or changes a setting. */
export type Command = { readonly name: string; readonly kind: string } & (
  | { readonly path: string; readonly heading?: string }
  | { readonly setting: Setting }
)

type View = Extract<Command, { readonly path: string }> & { readonly words: string }

const view = (name: string, path: string, words = '', heading?: string): View => ({
  name,
  path,
  words,
  kind: 'View',
  ...(heading !== undefined && { heading }),
})

/** The views, with other words that a visitor may look for. */
const views: readonly View[] = [
  view('Browse the market', '/', 'home listings offers buy'),
  view('Activity', '/activity', 'events history'),
  view('Create a memory', '/create', 'new seal mint upload'),
  view('My memories', '/mine', 'wallet rented'),
  view('Owned', '/mine', 'my memories wallet', 'Owned'),
  view('Rented', '/mine?list=rented', 'my memories wallet', 'Rented'),
  view('Earnings and payments', '/mine', 'my income money csv', 'Earnings and payments'),
  view('Watch list', '/mine?list=watched', 'my watched alerts', 'Watched'),
  view('Reference and guides', '/docs', 'documentation help api openapi'),
  view('Operate', '/operate', 'operator health admin'),
]

type FoundMemory = Pick<Token, 'tokenId' | 'card' | 'creator' | 'source'>

type FindCommandsState = {
  readonly isDark: boolean
  readonly isExact: boolean
  /** The account that the text leads to as a name of ENS. */
  readonly named?: { readonly name: string; readonly account: string } | undefined
  /** The version of a private name that the text names. */
  readonly version?: { readonly path: string; readonly name: string } | undefined
  /** The memories that the text finds on the market, the best match first. */
  readonly memories?: readonly FoundMemory[] | undefined
  /** The profiles whose names have the text, the first that took theirs first. */
  readonly profiles?: readonly Pick<Profile, 'name' | 'account' | 'resembles'>[] | undefined
}

/** Finds the commands for a text, the most exact first; for none, all that need no text. */
export function findCommands(text: string, state: FindCommandsState): readonly Command[] {
  const typed = text.trim()
  const known = [...views, ...settingsFor(state)].filter((it) => matches(it, typed))
  const commands = known.map(({ words: _, ...command }): Command => command)
  if (typed === '') return commands
  // Memories come late, and so last: what was chosen meanwhile stays in its place.
  const found = [...placesOf(typed, state), ...commands, ...searchesFor(typed)]
  const named = (state.profiles ?? []).slice(0, mostNamed).map(({ name, account, resembles }) => ({
    name: `${name}${resembles === undefined ? '' : ' (similar name)'}, ${shortenAccount(account)}`,
    path: `/account/${account}`,
    kind: 'Maker',
  }))
  return [...found, ...named, ...memoriesOf(state.memories ?? [])]
}

/** Returns the memories that a text finds by their titles, and who made them. */
function memoriesOf(memories: readonly FoundMemory[]): readonly Command[] {
  const makers = new Map(memories.map((it) => [it.source?.creator ?? it.creator, it]))
  const byMakers = [...makers].slice(0, mostMakers).map(([maker, { card }]) => ({
    name: `${shortenAccount(maker)}, who made ${card?.title}`,
    path: `/account/${maker}`,
    kind: 'Maker',
  }))
  const byTitle = memories.map(({ tokenId, card }) => ({
    name: `${card?.title}, No. ${tokenId}`,
    path: `/token/${tokenId}`,
    kind: 'Memory',
  }))
  return [...byTitle, ...byMakers]
}

const mostMakers = 2
const mostNamed = 5

const settingsFor = ({ isDark, isExact }: FindCommandsState) => {
  const setting = (name: string, of: Setting, words: string) => ({
    name,
    setting: of,
    words,
    kind: 'Setting',
  })
  return [
    setting(isDark ? 'Light appearance' : 'Dark appearance', 'theme', 'theme colours mode'),
    setting(
      isExact ? 'Short amounts and times' : 'Exact amounts and times',
      'exactness',
      'numbers wei precise',
    ),
    setting('Keyboard shortcuts', 'shortcuts', 'keys help'),
  ]
}

/** Returns whether every word of a text begins a word of a command. */
function matches(of: { readonly name: string; readonly words: string }, text: string): boolean {
  const words = `${of.name} ${of.words}`.toLowerCase().split(' ')
  const prefixes = text.toLowerCase().split(/\s+/)
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

/** Returns the memory and the account that a text names. */
function placesOf(text: string, { named, version }: FindCommandsState): readonly Command[] {
  const destination = findDestination(text) ?? version
  const places: Command[] = []
  if (destination !== undefined) {
    const kind = destination.path.startsWith('/token/') ? 'Memory' : 'Account'
    places.push({ name: `Go to ${destination.name}`, path: destination.path, kind })
  }
  if (named !== undefined) {
    const name = `Go to ${named.name}, ${named.account}`
    places.push({ name, path: `/account/${named.account}`, kind: 'Account' })
  }
  return places
}

const searchesFor = (search: string): readonly Command[] => [
  { name: `Search the market for “${search}”`, path: withQuery('/', { search }), kind: 'Search' },
  {
    name: `Search the guides for “${search}”`,
    path: withQuery('/docs', { search }),
    kind: 'Search',
  },
]
