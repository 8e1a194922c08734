import { Drawer, Modal } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './dialog.module.css'

type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  size?: 'md' | 'lg' | 'xl'
  /** Closes only by a button inside it, so that a stray click or key does not discard what it shows. */
  isFirm?: boolean
  children: ReactNode
}

/** Mantine returns the focus to where it was when a window closes, but not when the window is removed with its form. */
function useFocusBack(opened: boolean): void {
  const wasOpened = useRef(false)
  const opener = useRef<Element | null>(null)
  if (opened && !wasOpened.current) opener.current = document.activeElement
  wasOpened.current = opened
  useEffect(
    () => () => {
      if (wasOpened.current && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
    [],
  )
}

// Composed of parts: Mantine's complete modal has a <header>, which would be the page's second banner.
/** A window over the page. */
export function Dialog({ opened, onClose, title, size = 'lg', isFirm = false, children }: DialogProps): ReactNode {
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={size}
      centered
      closeOnClickOutside={!isFirm}
      closeOnEscape={!isFirm}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes.top}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {!isFirm && <Modal.CloseButton aria-label="Close" />}
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

type SidePanelProps = {
  opened: boolean
  onClose: () => void
  title: string
  side?: 'left' | 'right'
  size?: string
  children: ReactNode
}

/** A panel that slides in from the side: details of one thing on the page behind it. */
export const SidePanel = ({
  opened,
  onClose,
  title,
  side = 'right',
  size = '38rem',
  children,
}: SidePanelProps): ReactNode => (
  <Drawer.Root opened={opened} onClose={onClose} position={side} size={size}>
    <Drawer.Overlay />
    <Drawer.Content>
      <div className={classes.top}>
        <Drawer.Title className={classes.title}>{title}</Drawer.Title>
        <Drawer.CloseButton aria-label="Close" />
      </div>
      <Drawer.Body className={classes.body}>{children}</Drawer.Body>
    </Drawer.Content>
  </Drawer.Root>
)
