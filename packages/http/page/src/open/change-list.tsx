import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Change } from '../../../src/diff/change.ts'
import { diffLines } from '../../../src/diff/lines.ts'
import { Button } from '../parts/section.tsx'

/** The number of changes that are shown at a time. */
const pageSize = 50

/** Lists changes: what is gone and what is new. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }): JSX.Element {
  const [shown, setShown] = useState(pageSize)
  return (
    <>
      <ul class="changes">
        {changes.slice(0, shown).map((change, at) => (
          <li key={at}>
            <Path of={change} />
            <Values of={change} />
          </li>
        ))}
      </ul>
      {changes.length > shown && (
        <Button
          name={`Show more (${changes.length - shown} left)`}
          onClick={() => setShown(shown + pageSize)}
        />
      )}
    </>
  )
}

const words = { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' } as const

function Path({ of: { kind, path } }: { readonly of: Change }): JSX.Element {
  return (
    <p class="place">
      {words[kind]} <code>{path === '' ? 'the whole' : showText(path)}</code>
    </p>
  )
}

function Values({ of: change }: { readonly of: Change }): JSX.Element | undefined {
  if (change.kind === 'moved') return undefined
  if (change.kind === 'added') return <Line in="after" text={change.value} />
  if (change.kind === 'removed') return <Line in="before" text={change.value} />
  const { before, after } = change
  const texts = [before, after].map((it): unknown => (it.startsWith('"') ? JSON.parse(it) : it))
  const [older, newer] = texts.map(String)
  const hasLines = before.startsWith('"') && after.startsWith('"') && texts.join().includes('\n')
  if (!hasLines || older === undefined || newer === undefined) {
    return (
      <>
        <Line in="before" text={before} />
        <Line in="after" text={after} />
      </>
    )
  }
  return (
    <>
      {diffLines(older, newer).map(({ from, lines }) => (
        <div key={from}>
          <p class="kind">Line {from}</p>
          {lines.map((line, at) => (
            <Line key={at} {...line} />
          ))}
        </div>
      ))}
    </>
  )
}

/** Shows a value or a line that is gone, new, or the same. */
function Line({
  in: side,
  text,
}: {
  readonly in: 'before' | 'after' | 'both'
  readonly text: string
}): JSX.Element {
  const shown = <bdi dir="auto">{showText(text)}</bdi>
  if (side === 'both') return <p class="line">{shown}</p>
  return <p class="line">{side === 'before' ? <del>{shown}</del> : <ins>{shown}</ins>}</p>
}

/** The most characters of a value that are shown. */
const mostCharacters = 600

// Characters that show as nothing, or change how the text around them is shown.
const misleading = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Returns a text for display: its beginning if it is long, with escapes for characters that are not
 * seen, so that two texts that differ look different.
 */
export function showText(text: string): string {
  const rest = text.length - mostCharacters
  const shown = text
    .slice(0, mostCharacters)
    .replace(misleading, (it) => (it === '\n' ? ' ' : `\\u{${it.codePointAt(0)?.toString(16)}}`))
  return rest > 0 ? `${shown}… and ${rest.toLocaleString('en')} more characters` : shown
}
