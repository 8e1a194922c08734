import { ActionIcon, Code, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './copy.module.css'

/** Copies `value`; `label` says what that is. */
export const CopyIcon = ({ value, label }: { value: string; label: string }): ReactNode => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : label}>
        <ActionIcon
          variant="subtle"
          color={copied ? 'teal' : 'gray'}
          onClick={copy}
          aria-label={copied ? 'Copied' : label}
        >
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
)

type CopyTextProps = { value: string; label: string; isBlock?: boolean }

/** Text to be copied: a value, or with `isBlock` a snippet of several lines. */
export const CopyText = ({ value, label, isBlock = false }: CopyTextProps): ReactNode => (
  <div className={classes.copy} data-block={isBlock}>
    {/* It scrolls, so the keyboard must reach it. */}
    <Code
      block={isBlock}
      className={classes.text}
      {...(isBlock && { tabIndex: 0, role: 'region', 'aria-label': label })}
    >
      {value}
    </Code>
    <CopyIcon value={value} label={`Copy ${label}`} />
  </div>
)
