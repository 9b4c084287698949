import { signal } from '@preact/signals'

const seconds = () => Math.floor(Date.now() / 1000)

/** The time in seconds, updated often enough for a text such as `5 minutes ago`. */
export const now = signal(seconds())

/** The time in seconds, updated every second, for countdowns. */
export const second = signal(seconds())

setInterval(() => {
  second.value = seconds()
}, 1000)
setInterval(() => {
  now.value = seconds()
}, 15_000)
