import { ActionIcon, Tooltip } from '@mantine/core'
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useDensity } from './density.ts'

/** Rows that are dense show more of a list at a time. */
export function DensityToggle({ className = '' }: { className?: string }): ReactNode {
  const { density, setDensity } = useDensity()
  const isDense = density === 'dense'
  const Icon = isDense ? IconBaselineDensityMedium : IconBaselineDensitySmall
  const label = isDense ? 'Comfortable rows' : 'Dense rows'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size={36}
        className={className}
        aria-label={label}
        onClick={() => setDensity(isDense ? 'comfortable' : 'dense')}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
