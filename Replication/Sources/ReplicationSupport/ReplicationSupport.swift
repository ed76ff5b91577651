// ReplicationSupport: helpers of the modules of this package. It must not know stores or networks.
