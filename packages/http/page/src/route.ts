import { signal } from '@preact/signals'

/** A view of the page and its parameters. */
export type Route = { readonly query: string } & (
  | { readonly view: (typeof plainViews)[number] | 'not-found' }
  | { readonly view: 'token'; readonly tokenId: string }
  | { readonly view: 'account'; readonly account: string }
  | { readonly view: 'docs'; readonly guide: string | undefined }
)

/** The views whose names are their paths; the path of `browse` is `/`. */
const plainViews = ['browse', 'mine', 'create', 'activity', 'operate'] as const

/** Parses an address of the page. */
function parseRoute({ pathname, search: query }: { pathname: string; search: string }): Route {
  const plain = plainViews.find((it) => pathname === (it === 'browse' ? '/' : `/${it}`))
  if (plain !== undefined) return { view: plain, query }
  if (pathname === '/docs') return { view: 'docs', guide: undefined, query }
  const [, account] = /^\/account\/(0x[0-9a-fA-F]{40})$/.exec(pathname) ?? []
  if (account !== undefined) return { view: 'account', account, query }
  const [, guide] = /^\/docs\/guides\/([a-z-]{1,40})$/.exec(pathname) ?? []
  if (guide !== undefined) return { view: 'docs', guide, query }
  const [, tokenId] = /^\/token\/(0|[1-9]\d{0,77})$/.exec(pathname) ?? []
  return tokenId === undefined ? { view: 'not-found', query } : { view: 'token', tokenId, query }
}

export const route = signal<Route>(parseRoute(location))

/**
 * Describes how a navigation changes the history: `push` adds an entry and begins at the top, `stay` adds one and
 * keeps the place, `replace` replaces the entry.
 */
export type Navigation = 'push' | 'stay' | 'replace'

/** Navigates to another view, which a link may lead to. */
export function navigate(path: string, how: Navigation = 'push', link?: Element): void {
  if (how === 'replace') history.replaceState(history.state, '', path)
  else {
    keepOpened(link)
    leaveEntry(() => history.pushState({ entry: newEntry() }, '', path))
  }
  route.value = parseRoute(location)
  if (how === 'push') scrollTo(0, 0)
}

/** Handles links between views without a page load, and returns to places with Back. */
export function interceptLinks(): void {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    leaveEntry(() => undefined)
    route.value = parseRoute(location)
    returnToPlace()
  })
  document.addEventListener('click', (event) => {
    const link = isForBrowser(event) ? undefined : linkAt(event.target)
    const url = linkedView(link)
    if (url === undefined) return
    event.preventDefault()
    const stays = link?.closest('[data-stay]') != null
    navigate(`${url.pathname}${url.search}`, stays ? 'stay' : 'push', link)
  })
}

const linkAt = (target: EventTarget | null): Element | undefined =>
  (target instanceof Element ? target.closest('a') : null) ?? undefined

function linkedView(link: Element | undefined): URL | undefined {
  if (link === undefined || link.hasAttribute('download')) return undefined
  const url = new URL(link.getAttribute('href') ?? '', location.href)
  const grant = new URLSearchParams(location.search).get('grant')
  // A memory that is read by a grant stays so, whichever link to it is followed.
  if (grant !== null && url.pathname === location.pathname && !url.searchParams.has('grant'))
    url.searchParams.set('grant', grant)
  const isView = url.origin === location.origin && parseRoute(url).view !== 'not-found'
  return isView && url.hash === '' ? url : undefined
}

const isForBrowser = (event: MouseEvent): boolean =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey

/** Describes what is kept of an entry of the history, so that Back returns to its place. */
type Place = {
  scroll: number
  /** Selects the link that was opened last. */
  opened: string | undefined
  readonly lists: Map<string, unknown>
}

const places = new Map<string, Place>()

/** The most entries that are kept; the oldest goes first. */
const mostPlaces = 50

/** The most lists of an entry that are kept. */
const mostLists = 8

/** Returns the name of a new entry of the history. */
const newEntry = (): string => crypto.randomUUID()

const entryOf = (state: unknown): string =>
  (state as { readonly entry?: string } | null)?.entry ?? 'first'

let here = entryOf(history.state)

function placeHere(): Place {
  const place = places.get(here) ?? { scroll: 0, opened: undefined, lists: new Map() }
  places.set(here, place)
  const [oldest] = places.keys()
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
  return place
}

/** Keeps how far the entry was scrolled that is left by a change of the history. */
function leaveEntry(change: () => void): void {
  placeHere().scroll = scrollY
  change()
  here = entryOf(history.state)
  stopReturning()
}

/** Keeps which link of the content is opened in this entry, if one is, so that Back focuses it again. */
function keepOpened(link: Element | undefined): void {
  const isInContent = link !== undefined && link.closest('main') !== null
  placeHere().opened = isInContent ? selectLink(link) : undefined
}

/** Returns a selector of a link, within its row: several rows may have a link to the same place. */
function selectLink(link: Element): string {
  const row = link.closest('[data-row]')?.getAttribute('data-row') ?? undefined
  const within = row === undefined ? '' : `[data-row="${CSS.escape(row)}"] `
  return `main ${within}a[href="${CSS.escape(link.getAttribute('href') ?? '')}"]`
}

/** Keeps a list that was loaded in this entry. */
export function keepList(path: string, value: unknown): void {
  const { lists } = placeHere()
  // A search that is typed replaces its entry again and again.
  if (!lists.has(path) && lists.size >= mostLists) lists.clear()
  lists.set(path, value)
}

/** Returns the list that this entry had loaded from a path. */
export function storedList<T>(path: string): T | undefined {
  return places.get(here)?.lists.get(path) as T | undefined
}

let stopReturning = (): void => undefined

/** Focuses the link that was opened here, unless the focus was moved since Back by a person or their tools. */
function focusOpened(focused: Element | null): void {
  const selector = places.get(here)?.opened
  const { activeElement } = document
  const isMoved = activeElement !== focused && activeElement?.matches('body, main') === false
  if (selector === undefined || isMoved) return
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
}

/**
 * Scrolls to the place of this entry as soon as the page is long enough, unless the visitor scrolls
 * first, and focuses the link that was opened there.
 */
function returnToPlace(): void {
  const scroll = places.get(here)?.scroll ?? 0
  const { activeElement } = document
  const observer = new ResizeObserver(() => {
    focusOpened(activeElement)
    scrollTo(0, scroll)
    if (scrollY >= scroll - 1) stopReturning()
  })
  const byHand = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const
  stopReturning = () => {
    observer.disconnect()
    for (const kind of byHand) removeEventListener(kind, stopReturning)
    stopReturning = () => undefined
  }
  for (const kind of byHand) addEventListener(kind, stopReturning, { passive: true })
  observer.observe(document.body)
}
