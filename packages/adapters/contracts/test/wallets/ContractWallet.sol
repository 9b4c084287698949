// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A wallet that is a contract: it recognises what its owner signed (ERC-1271).
contract ContractWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        bool valid = ecrecover(hash, uint8(signature[64]), r, s) == owner;
        return valid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @notice A wallet that never comes to an answer.
contract EndlessWallet {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        while (gasleft() > 0) {}
        return this.isValidSignature.selector;
    }
}

/// @notice A wallet that recognises every signature until it is told to recognise none.
contract FickleWallet {
    bool private closed;

    function close() external {
        closed = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return closed ? bytes4(0xffffffff) : this.isValidSignature.selector;
    }
}

/// @notice Deploys wallets at addresses known beforehand (ERC-6492).
contract WalletFactory {
    function deploy(address owner) external returns (address) {
        return address(new ContractWallet{salt: 0}(owner));
    }
}
