const browsers = [
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome', /(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /Version\/(\d+).* Safari\//],
] as const
const systems = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** `Chrome 156 on Linux`: enough to recognize your own browser. The whole text is shown on hover. */
export function browserIn(userAgent: string): string {
  const found = browsers.flatMap(([name, pattern]) => {
    const version = pattern.exec(userAgent)?.[1]
    return version ? [`${name} ${version}`] : []
  })
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0]
  const browser = found[0] ?? 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}
