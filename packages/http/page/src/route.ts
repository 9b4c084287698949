import { signal } from '@preact/signals'

/** A view of the page, and what it is a view of. */
export type Route =
  | { readonly view: 'browse'; readonly query: string }
  | { readonly view: 'token'; readonly tokenId: string }
  | { readonly view: 'mine' }
  | { readonly view: 'create' }
  | { readonly view: 'lost' }

/** Returns what an address of the page shows. */
export function routeOf({ pathname, search }: { pathname: string; search: string }): Route {
  if (pathname === '/') return { view: 'browse', query: search }
  if (pathname === '/mine') return { view: 'mine' }
  if (pathname === '/create') return { view: 'create' }
  const [, tokenId] = /^\/token\/(0|[1-9]\d{0,77})$/.exec(pathname) ?? []
  return tokenId === undefined ? { view: 'lost' } : { view: 'token', tokenId }
}

export const route = signal<Route>(routeOf(location))

/** Goes to another view; `replace` leaves no way back to this one. */
export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', path)
  else history.replaceState(null, '', path)
  route.value = routeOf(location)
  if (how === 'push') scrollTo(0, 0)
}

/** Has links between views followed without loading the page anew. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    route.value = routeOf(location)
  })
  document.addEventListener('click', (event) => {
    const url = isForBrowser(event) ? undefined : linkedView(event.target)
    if (url === undefined) return
    event.preventDefault()
    go(`${url.pathname}${url.search}`)
  })
}

function linkedView(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.hasAttribute('download')) return undefined
  const url = new URL(link.getAttribute('href') ?? '', location.href)
  const isView = url.origin === location.origin && routeOf(url).view !== 'lost'
  return isView && url.hash === '' ? url : undefined
}

const isForBrowser = (event: MouseEvent): boolean =>
  event.defaultPrevented ||
  event.button !== 0 ||
  event.metaKey ||
  event.ctrlKey ||
  event.shiftKey ||
  event.altKey
