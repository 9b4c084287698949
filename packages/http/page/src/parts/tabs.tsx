import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A tab: its word in the address, and its name for people. */
export type Tab<Id extends string = string> = { readonly id: Id; readonly name: string }

type Props = {
  /** The name of all of them. */
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly hrefOf: (id: string) => string
  /** The content of the chosen tab. */
  readonly children: ComponentChildren
}

/** Returns which of some tabs a key leads to from one; `undefined` for any other key. */
function tabAfter(key: string, at: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: (at + count - 1) % count,
    ArrowRight: (at + 1) % count,
    Home: 0,
    End: count - 1,
  }
  return places[key]
}

/** Scrolls a row of tabs so far that the chosen one begins it. */
function showChosen(list: HTMLElement): void {
  const left = (it: Element | null) => it?.getBoundingClientRect().left ?? 0
  list.scrollLeft += left(list.querySelector('[aria-selected=true]')) - left(list)
}

/** Shows tabs, each of which has an address, and what the chosen one holds. */
export function Tabs({ label, tabs, chosen, hrefOf, children }: Props): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  // On a phone the row of tabs is wider than the screen.
  useEffect(() => {
    if (list.current !== null) showChosen(list.current)
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(event.target as HTMLAnchorElement)
    const next = tabAfter(event.key, at, links.length)
    if (next === undefined && event.key !== ' ') return
    if (next === undefined) links[at]?.click()
    else links[next]?.focus()
    event.preventDefault()
  }
  return (
    <div class="tabbed">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown} data-stay>
        {tabs.map(({ id, name }) => (
          <a
            key={id}
            role="tab"
            id={`tab-${id}`}
            href={hrefOf(id)}
            aria-selected={id === chosen}
            aria-controls={id === chosen ? 'tab-panel' : undefined}
            tabIndex={id === chosen ? 0 : -1}
          >
            {name}
          </a>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
