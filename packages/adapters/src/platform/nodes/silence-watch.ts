/** A watch of the questions to something elsewhere, and of how soon they are answered. */
export type SilenceWatch = {
  /** Asks a question. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>
  /** Asks a question, and returns whether it was answered soon. */
  readonly isAnsweredSoon: (question: () => Promise<unknown>) => Promise<boolean>
  /** Returns whether none was answered soon since one that was asked a while ago. */
  readonly isSilent: () => boolean
}

export declare namespace silenceWatch {
  type Options = {
    /** The milliseconds within which an answer is soon. */
    readonly patience: number
    /** Returns whether an error of a question is no answer. */
    readonly isNoAnswer: (error: unknown) => boolean
    readonly now?: () => number
  }
}

/** Opens a watch of questions, of which none was asked yet. */
export function silenceWatch({
  patience,
  isNoAnswer,
  now = () => performance.now(),
}: silenceWatch.Options): SilenceWatch {
  /** The time of the first question since the last soon answer. */
  let waitingSince: number | undefined
  const isSoon = (startedAt: number) => now() - startedAt < patience
  const ask: SilenceWatch['ask'] = async (question) => {
    const startedAt = now()
    const onAnswer = () => {
      if (isSoon(startedAt)) waitingSince = undefined
    }
    waitingSince ??= startedAt
    try {
      const answer = await question()
      onAnswer()
      return answer
    } catch (error) {
      if (!isNoAnswer(error)) onAnswer()
      throw error
    }
  }
  return {
    ask,
    isAnsweredSoon: (question) => {
      const startedAt = now()
      return ask(question).then(
        () => isSoon(startedAt),
        () => false,
      )
    },
    isSilent: () => waitingSince !== undefined && now() - waitingSince >= patience,
  }
}
