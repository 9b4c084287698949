import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Act } from './acts/act.ts'
import { open, pending } from './acts/pending-act.ts'
import { announcement } from './announce.ts'
import { Masthead } from './masthead.tsx'
import { lazy } from './parts/lazy.tsx'
import { type Route, route } from './route.ts'
import { Browse } from './views/browse.tsx'
import { Lost } from './views/not-found.tsx'

const TokenView = lazy<{ readonly tokenId: string }>(
  async () => (await import('./views/token.tsx')).TokenView,
)
const Mine = lazy<object>(async () => (await import('./views/mine.tsx')).Mine)
const Create = lazy<object>(async () => (await import('./views/create.tsx')).Create)
const ActDialog = lazy<{ readonly act: Act }>(
  async () => (await import('./acts/act-dialog.tsx')).ActDialog,
)

/** The whole page. */
export function App(): JSX.Element {
  const act = open.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Masthead />
      <Main />
      <footer>
        <p>
          Heirloom keeps memories sealed and proves them on a chain. Everything here comes from this
          server. <a href="/docs">API reference</a>
        </p>
      </footer>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
      {act !== undefined && <ActDialog key={act} act={act} />}
      {act === undefined && pending.value !== undefined && <StillPending />}
    </>
  )
}

function Main(): JSX.Element {
  const ref = useRef<HTMLElement>(null)
  const { value } = route
  const place = value.view === 'token' ? `token/${value.tokenId}` : value.view
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) ref.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [place])
  return (
    <main id="main" ref={ref} tabIndex={-1}>
      <View of={value} key={place} />
    </main>
  )
}

function View({ of }: { readonly of: Route }): JSX.Element {
  switch (of.view) {
    case 'browse':
      return <Browse query={of.query} />
    case 'token':
      return <TokenView tokenId={of.tokenId} />
    case 'mine':
      return <Mine />
    case 'create':
      return <Create />
    case 'lost':
      return <Lost />
  }
}

function StillPending(): JSX.Element {
  const look = () => {
    open.value = pending.value?.act
  }
  return (
    <aside class="pending" aria-label="On its way">
      <p>A transaction is on its way.</p>
      <button type="button" class="main" onClick={look}>
        See what became of it
      </button>
    </aside>
  )
}
