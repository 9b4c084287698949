import type { Misspelt } from '@heirloom/core'
import { useState } from 'preact/hooks'
import { misspeltNote } from '../../../src/api/nearest-name.ts'
import { Select, Submit } from '../parts/form-fields.tsx'
import { Button } from '../parts/section.tsx'
import { mostExpanded } from './tree-rows.ts'
import type { ChangeTree, ViewerCalls } from './use-viewer.ts'

type Props = { readonly calls: ViewerCalls; readonly change: ChangeTree }

/** The row that is chosen, which stays so when the tree is expanded. */
type Chosen = { readonly row: number }

type Mode = 'text' | 'path'

const modes = [
  ['text', 'Text'],
  ['path', 'JSONPath'],
] as const

/** Finds values by a text or a JSONPath, and expands or collapses the tree. */
export function FindBar({ calls, change, row }: Props & Chosen): JSX.Element {
  const [mode, setMode] = useState<Mode>('text')
  const [typed, setTyped] = useState('')
  const [isWorking, setWorking] = useState(false)
  const [found, setFound] = useState<Found>()
  const [problem, setProblem] = useState('')
  const run = async (act: () => Promise<Found | undefined>) => {
    setWorking(true)
    setProblem('')
    try {
      setFound(await act())
    } catch (error) {
      setFound(undefined)
      // Results of another path would look like those of this one.
      change(await calls.showWhole())
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setWorking(false)
  }
  const choose = (chosen: Mode) => {
    setMode(chosen)
    setProblem('')
    // The results of a path stay in sight, and so does their number.
    setFound(found?.nth === undefined && found?.count !== 0 ? found : undefined)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    run(() => findIn({ calls, change }, mode, typed, found))
  }
  const step = (by: number) => run(() => showMatch({ calls, change }, found, by))
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element search is too new for some browsers.
    <form class="find" role="search" aria-label="In this memory" onSubmit={submit}>
      <Select aria-label="Find by" chosen={mode} choose={choose} options={modes} />
      <input
        type="search"
        aria-label={mode === 'text' ? 'Find a text' : 'JSONPath'}
        placeholder={mode === 'text' ? 'Find a text, or ask' : '$.data.notes[*].text'}
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Submit name={mode === 'text' ? 'Find' : 'Select'} isDisabled={isWorking} />
      {found?.nth !== undefined && found.count > 1 && (
        <>
          <Button name="Previous" onClick={() => step(-1)} />
          <Button name="Next" onClick={() => step(1)} />
        </>
      )}
      <TreeButtons calls={calls} change={change} row={row} />
      <p role="status" class="found">
        {isWorking ? 'Searching…' : found === undefined ? problem : describeFound(found)}
      </p>
    </form>
  )
}

/** Returns the function that finds what was typed; finding the same text again moves on. */
async function findIn(props: Props, mode: Mode, typed: string, before: Found | undefined) {
  if (typed.trim() !== '') {
    return mode === 'path' ? selectPath(props, typed) : searchText(props, typed, before)
  }
  props.change(await props.calls.showWhole())
  return undefined
}

async function selectPath({ calls, change }: Props, typed: string): Promise<Found> {
  const { found, hasMore, count } = await calls.select({ path: typed.trim() })
  change(found === 0 ? await calls.showWhole() : { count, row: 0 })
  return { text: typed, count: found, hasMore }
}

async function searchText(props: Props, typed: string, before: Found | undefined) {
  const { calls, change } = props
  if (before?.text === typed && before.nth !== undefined) return showMatch(props, before, 1)
  const counted = await calls.search({ text: typed })
  if (counted === undefined) return before
  if (counted.count === 0) change(await calls.showWhole())
  return showMatch(props, { text: typed, ...counted, nth: 0 }, 0)
}

async function showMatch(
  { calls, change }: Props,
  found: Found | undefined,
  by: number,
): Promise<Found | undefined> {
  if (found?.nth === undefined || found.count === 0) return found
  const nth = (found.nth + by + found.count) % found.count
  change(await calls.showMatch({ nth }))
  return { ...found, nth }
}

function TreeButtons({ calls, change, row }: Props & Chosen): JSX.Element {
  const [isCut, setCut] = useState(false)
  const expand = async () => {
    const { hasMore, ...expanded } = await calls.expandAll({ row })
    setCut(hasMore)
    change(expanded)
  }
  const collapse = async () => {
    setCut(false)
    change({ count: await calls.collapseAll(), row: 0 })
  }
  return (
    <>
      <Button name="Expand all" onClick={expand} />
      <Button name="Collapse all" onClick={collapse} />
      {isCut && (
        <small class="hint">The first {mostExpanded.toLocaleString('en')} are expanded.</small>
      )}
    </>
  )
}

/** The values that were found by a text or a JSONPath. */
export type Found = {
  readonly text: string
  readonly count: number
  readonly hasMore: boolean
  /** The match that is shown, from 0; absent when all are shown as results. */
  readonly nth?: number
  /** Whether the text stands nowhere, and these have its words, the best first. */
  readonly isRanked?: boolean
  readonly misspelt?: readonly Misspelt[]
}

function describeValues({ count, hasMore }: Pick<Found, 'count' | 'hasMore'>): string {
  const number = `${hasMore ? 'More than ' : ''}${count.toLocaleString('en')}`
  return `${number} ${count === 1 ? 'value' : 'values'}. Empty the field to see the whole.`
}

/** Describes what was found. */
export function describeFound({ count, hasMore, nth, isRanked = false, ...found }: Found): string {
  const note = misspeltNote(found.misspelt) ?? ''
  if (count === 0) return `Nothing found. ${note}`.trim()
  const number = count.toLocaleString('en')
  if (nth === undefined) return describeValues({ count, hasMore })
  const place = (nth + 1).toLocaleString('en')
  if (isRanked) return `${place} of ${number} with words of it, the best first. ${note}`.trim()
  return `${place} of ${hasMore ? 'more than ' : ''}${number} ${count === 1 ? 'match' : 'matches'}`
}
