import { useLocalStorage } from '@mantine/hooks'

export type Density = 'comfortable' | 'dense'

/** How high the rows of lists are: chosen once for all lists, and remembered by this browser. */
export function useDensity(): { density: Density; setDensity: (density: Density) => void } {
  const [stored, setDensity] = useLocalStorage<Density>({
    key: 'bailiwick-density',
    defaultValue: 'comfortable',
    getInitialValueInEffect: false,
  })
  return { density: stored === 'dense' ? 'dense' : 'comfortable', setDensity }
}
