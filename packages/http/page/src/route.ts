import { signal } from '@preact/signals'

/** A view of the page and its parameters. */
export type Route =
  | { readonly view: 'browse'; readonly query: string }
  | { readonly view: 'token'; readonly tokenId: string }
  | { readonly view: 'mine' }
  | { readonly view: 'create' }
  | { readonly view: 'not-found' }

/** Parses an address of the page. */
export function parseRoute({ pathname, search }: { pathname: string; search: string }): Route {
  if (pathname === '/') return { view: 'browse', query: search }
  if (pathname === '/mine') return { view: 'mine' }
  if (pathname === '/create') return { view: 'create' }
  const [, tokenId] = /^\/token\/(0|[1-9]\d{0,77})$/.exec(pathname) ?? []
  return tokenId === undefined ? { view: 'not-found' } : { view: 'token', tokenId }
}

export const route = signal<Route>(parseRoute(location))

/** Navigates to another view; `replace` replaces the history entry. */
export function navigate(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path)
  else history.replaceState(null, '', path)
  route.value = parseRoute(location)
  if (how === 'push') scrollTo(0, 0)
}

/** Handles links between views without a page load. */
export function interceptLinks(): void {
  addEventListener('popstate', () => {
    route.value = parseRoute(location)
  })
  document.addEventListener('click', (event) => {
    const url = isForBrowser(event) ? undefined : linkedView(event.target)
    if (url === undefined) return
    event.preventDefault()
    navigate(`${url.pathname}${url.search}`)
  })
}

function linkedView(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.hasAttribute('download')) return undefined
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
