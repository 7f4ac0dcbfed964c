/** Notifies the other processes where the database can. Delivery is not guaranteed, so receivers also poll. */
export interface Notifications {
  /** Calls `listener` whenever another process notified the channel. */
  listen(channel: string, listener: () => void): void;
  close(): Promise<void>;
}

/** For a service of one process. */
export const noNotifications: Notifications = { listen() {}, close: async () => {} };
