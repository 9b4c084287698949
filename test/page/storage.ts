// Modules of the page read the address, the history and the storage of a browser when they load, and
// Node has none of them.

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

Object.assign(globalThis, {
  history: { state: null },
  location: new URL('http://localhost/'),
  localStorage: storage,
  sessionStorage: storage,
})
