internal import NIOCore

/// Records that bytes arrived, also those of a frame that is not complete.
final class ActivityHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let session: Session

    init(_ session: Session) { self.session = session }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        session.receivedBytes()
        context.fireChannelRead(data)
    }
}
