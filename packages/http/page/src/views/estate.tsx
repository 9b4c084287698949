import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Token } from '../../../src/client/responses.ts'
import { openAct } from '../acts/pending-act.ts'
import { useRead } from '../api/use-resource.ts'
import { Amount } from '../parts/amount.tsx'
import { ProblemNotice } from '../parts/notice.tsx'

const limit = 100

type Props = { readonly account: `0x${string}` }

/** Shows what an account leaves to its heir, who chooses the memories to take over. */
export function Estate({ account }: Props): JSX.Element {
  const { value, problem } = useRead('tokens', { owner: account, limit })
  return (
    <>
      <p>You may take over now.</p>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      {value?.items.length === 0 && <p class="hint">It owns no memory.</p>}
      {value !== undefined && value.items.length > 0 && (
        <Choice account={account} tokens={value.items} />
      )}
      {value != null && value.next !== null && (
        <p class="hint">Only the newest {limit} are shown; take them over to see the others.</p>
      )}
      <Credit account={account} />
    </>
  )
}

type ChoiceProps = Props & { readonly tokens: readonly Token[] }

function Choice({ account, tokens }: ChoiceProps): JSX.Element {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const tokenIds = tokens.map(({ tokenId }) => tokenId).filter((id) => !left.has(id))
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    setLeft(next)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (tokenIds.length > 0) openAct.value = { kind: 'take-over', account, tokenIds }
  }
  return (
    <form onSubmit={submit}>
      <fieldset class="choices">
        <legend>Memories</legend>
        {tokens.map(({ tokenId, card }) => (
          <label key={tokenId} class="check">
            <input type="checkbox" checked={!left.has(tokenId)} onChange={() => toggle(tokenId)} />
            <span>
              No. {tokenId}
              {card !== null && (
                <>
                  , <bdi dir="auto">{card.title}</bdi>
                </>
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit" class="main" disabled={tokenIds.length === 0}>
        Take over {tokenIds.length === 1 ? '1 memory' : `${tokenIds.length} memories`}
      </button>
    </form>
  )
}

function Credit({ account }: Props): JSX.Element | undefined {
  const { value } = useRead('earnings', { address: account })
  if (value === undefined) return undefined
  const { credit, dollars } = value
  if (credit === '0' && dollars.credit === '0') return undefined
  const take = () => {
    openAct.value = { kind: 'take-over-credit', account }
  }
  return (
    <p class="buttons">
      <span>
        {credit !== '0' && <Amount of={credit} currency="native" />}
        {credit !== '0' && dollars.credit !== '0' && ' and '}
        {dollars.credit !== '0' && <Amount of={dollars.credit} currency="dollar" />} could not be
        delivered to it.
      </span>
      <button type="button" onClick={take}>
        Take over the credit
      </button>
    </p>
  )
}
