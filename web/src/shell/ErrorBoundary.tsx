import { Component, type ErrorInfo, type ReactNode } from 'react';

interface Props {
  name: string;
  children: ReactNode;
}

/** A panel that breaks shows that it did; the others, and Stop, go on. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(`${this.props.name} broke`, error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="broken" role="alert">
        <p>
          {this.props.name} broke: {error.message}
        </p>
        <button type="button" className="button" onClick={() => this.setState({ error: null })}>
          Show it again
        </button>
      </div>
    );
  }
}
