import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { UserText } from '../parts/user-text.tsx'
import { type Branch, ExactNumber, parseTree, toBranch, type Value } from './parse-tree.ts'

/** Shows a JSON document as a tree. */
export function Tree({ bytes }: { readonly bytes: Uint8Array }): JSX.Element {
  const value = useMemo(() => parseTree(bytes), [bytes])
  return (
    <section class="tree" aria-label="The memory as a tree">
      <Node name={undefined} value={value} isOpen />
    </section>
  )
}

type Props = {
  readonly name: string | undefined
  readonly value: Value
  readonly isOpen?: boolean
}

function Node({ name, value, isOpen = false }: Props): JSX.Element {
  const branch = toBranch(value)
  if (branch === undefined) {
    return (
      <p class="leaf">
        <Name of={name} />
        <Leaf value={value} />
      </p>
    )
  }
  return <Inner name={name} branch={branch} isOpen={isOpen} />
}

/** The number of members that are shown at a time. */
const pageSize = 100

function Inner({
  name,
  branch,
  isOpen,
}: {
  readonly name: string | undefined
  readonly branch: Branch
  readonly isOpen: boolean
}): JSX.Element {
  const [wasOpened, setOpened] = useState(isOpen)
  const [shown, setShown] = useState(pageSize)
  const { entries, summary } = branch
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (currentTarget.open) setOpened(true)
  }
  return (
    <details open={isOpen} onToggle={onToggle}>
      <summary>
        <Name of={name} />
        <span class="kind">{summary}</span>
      </summary>
      {wasOpened && (
        <div class="members">
          {entries.slice(0, shown).map(([key, value]) => (
            <Node key={key} name={key} value={value} isOpen={name === undefined} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + pageSize)}>
              Show more ({entries.length - shown} left)
            </button>
          )}
        </div>
      )}
    </details>
  )
}

function Name({ of }: { readonly of: string | undefined }): JSX.Element | undefined {
  if (of === undefined) return undefined
  return (
    <>
      <span class="key">
        <UserText of={of} />
      </span>
      :{' '}
    </>
  )
}

function Leaf({ value }: { readonly value: Value }): JSX.Element {
  if (typeof value === 'string') {
    return (
      <span class="string lines">
        “<UserText of={value} />”
      </span>
    )
  }
  return <span class="literal">{value instanceof ExactNumber ? value.text : String(value)}</span>
}
