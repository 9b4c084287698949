import { signal } from '@preact/signals'
import { keepOpened, leaveEntry, newEntry, returnToPlace } from './place.ts'

/** A view of the page and its parameters. */
export type Route =
  | { readonly view: 'browse'; readonly query: string }
  | { readonly view: 'token'; readonly tokenId: string }
  | { readonly view: 'mine' }
  | { readonly view: 'create' }
  | { readonly view: 'activity'; readonly query: string }
  | { readonly view: 'operate' }
  | { readonly view: 'account'; readonly account: string; readonly query: string }
  | { readonly view: 'docs'; readonly guide: string | undefined; readonly query: string }
  | { readonly view: 'not-found' }

/** The views without parameters. */
const plainRoutes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['/mine', { view: 'mine' }],
  ['/create', { view: 'create' }],
  ['/operate', { view: 'operate' }],
])

/** Parses an address of the page. */
export function parseRoute({ pathname, search }: { pathname: string; search: string }): Route {
  if (pathname === '/') return { view: 'browse', query: search }
  if (pathname === '/activity') return { view: 'activity', query: search }
  if (pathname === '/docs') return { view: 'docs', guide: undefined, query: search }
  return plainRoutes.get(pathname) ?? routeWithParameter(pathname, search) ?? { view: 'not-found' }
}

function routeWithParameter(pathname: string, query: string): Route | undefined {
  const [, account] = /^\/account\/(0x[0-9a-fA-F]{40})$/.exec(pathname) ?? []
  if (account !== undefined) return { view: 'account', account, query }
  const [, guide] = /^\/docs\/guides\/([a-z-]{1,40})$/.exec(pathname) ?? []
  if (guide !== undefined) return { view: 'docs', guide, query }
  const [, tokenId] = /^\/token\/(0|[1-9]\d{0,77})$/.exec(pathname) ?? []
  return tokenId === undefined ? undefined : { view: 'token', tokenId }
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
