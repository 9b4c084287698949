import { useState } from 'preact/hooks'
import { createRate } from '../../../src/client/ratings.ts'
import { refreshAll } from '../api/changes.ts'
import { useRun } from '../api/use-answer.ts'
import { announce } from '../parts/announce.ts'
import { ActForm, Submit, TextField, Toggles, useText } from '../parts/form-fields.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import type { ConnectedWallet } from '../wallet/connected-wallet.ts'
import { requestSigner } from '../wallet/signers.ts'
import { countAgain } from './rating-summary.tsx'

type Props = { readonly tokenId: string; readonly wallet: ConnectedWallet }

/** The most characters of a comment. */
const longest = 500

const scores = [1, 2, 3, 4, 5]
const meanings: Readonly<Record<number, string>> = { 1: 'worst', 5: 'best' }

/** Shows the form with which an account that paid rates a memory. */
export function RatingForm({ tokenId, wallet }: Props): JSX.Element {
  const [score, setScore] = useState<number>()
  const comment = useText()
  const [isPublished, setPublished] = useState(false)
  const { isRunning, problem, run } = useRun()
  const submit = () => {
    if (score === undefined) return
    run(async () => {
      setPublished(false)
      await createRate(requestSigner(wallet))({ tokenId, score, comment: comment.text.trim() })
      countAgain(tokenId)
      // The chain has not changed, so no event says that the views are old.
      refreshAll()
      setPublished(true)
      announce('Your rating is published.')
    })
  }
  return (
    <ActForm summary="Rate it" submit={submit}>
      <p class="hint">
        For accounts that bought, rented or forked it. Your wallet signs the rating and pays
        nothing. It is public, with your address; a later one replaces it.
      </p>
      <Toggles
        class="toggles"
        legend="Your rating"
        values={scores}
        chosen={score}
        choose={setScore}
        show={(value) => [value, meanings[value] !== undefined && ` (${meanings[value]})`]}
      />
      <TextField name="Comment (optional)" rows={3} maxLength={longest} {...comment} />
      <ProblemNotice problem={problem} />
      {isPublished && (
        <Notice kind="good">Your rating is published. You can change it here.</Notice>
      )}
      <Submit
        name="Sign and publish"
        missing={score === undefined && 'Choose from 1 to 5.'}
        isSigning={isRunning}
      />
    </ActForm>
  )
}
