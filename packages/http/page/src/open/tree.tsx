import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Words } from '../parts/user-text.tsx'
import { type Branch, branchOf, Digits, parseTree, type Value } from './parse-tree.ts'

/** A JSON document to look through, branch by branch. */
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
  const branch = branchOf(value)
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

/** How many members are shown at first, and more at a time. */
const some = 100

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
  const [shown, setShown] = useState(some)
  const { entries, words } = branch
  const look = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => {
    if (currentTarget.open) setOpened(true)
  }
  return (
    <details open={isOpen} onToggle={look}>
      <summary>
        <Name of={name} />
        <span class="kind">{words}</span>
      </summary>
      {wasOpened && (
        <div class="members">
          {entries.slice(0, shown).map(([key, value]) => (
            <Node key={key} name={key} value={value} isOpen={name === undefined} />
          ))}
          {entries.length > shown && (
            <button type="button" onClick={() => setShown(shown + some)}>
              Show more of {entries.length - shown}
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
        <Words of={of} />
      </span>
      :{' '}
    </>
  )
}

function Leaf({ value }: { readonly value: Value }): JSX.Element {
  if (typeof value === 'string') {
    return (
      <span class="string lines">
        “<Words of={value} />”
      </span>
    )
  }
  return <span class="literal">{value instanceof Digits ? value.text : String(value)}</span>
}
