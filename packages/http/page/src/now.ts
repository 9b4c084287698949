import { signal } from '@preact/signals'

const seconds = () => Math.floor(Date.now() / 1000)

/** The time in seconds, as often as a sentence such as `5 minutes ago` needs it. */
export const now = signal(seconds())

/** The time in seconds, every second, for what counts down. */
export const second = signal(seconds())

setInterval(() => {
  second.value = seconds()
}, 1000)
setInterval(() => {
  now.value = seconds()
}, 15_000)
