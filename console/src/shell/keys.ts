type Key = { keys: readonly string[]; about: string }

export const everywhereKeys = (mod: string): readonly Key[] => [
  { keys: [`${mod} K`], about: 'Search pages, actions, people, apps and entitlements' },
  { keys: ['/'], about: 'Go to the search field' },
  { keys: ['?'], about: 'Show these shortcuts' },
]

export const listKeys: readonly Key[] = [
  { keys: ['j'], about: 'Next row' },
  { keys: ['k'], about: 'Previous row' },
  { keys: ['x'], about: 'Select or unselect the row' },
  { keys: ['Enter'], about: 'Open the row' },
]

export const decideKeys: readonly Key[] = [
  { keys: ['a'], about: 'Approve the selected requests, or this one' },
  { keys: ['d'], about: 'Deny the selected requests, or this one' },
  { keys: ['*'], about: 'Select or unselect all on this page' },
  { keys: ['Esc'], about: 'Clear the selection' },
]
